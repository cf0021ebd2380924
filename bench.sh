#!/bin/sh
# Measures everything for which there is data. SECI_DATA names the folder (default ../shared/data), BENCH_OUT the one
# for results (default bench-out), BENCH_METHODS which methods run (default all), BENCH_CACHE keeps embeddings.
# To publish a run: cp bench-out/*.json bench-out/*.svg docs/benchmarks && make docs
set -eu

data=${SECI_DATA:-../shared/data}
out=${BENCH_OUT:-bench-out}
cache=${BENCH_CACHE:-$out/cache}
methods=${BENCH_METHODS:+--methods $BENCH_METHODS}
mkdir -p "$out"

say() { printf '\n== %s\n' "$*"; }
missing() { printf 'skipped: %s is not there\n' "$1"; }

# retrieval SET FILE [OPTIONS...]
retrieval() {
    set_name=$1 file=$2
    shift 2
    if [ -e "$file" ]; then
        say "$set_name $(basename "$file") $*"
        # shellcheck disable=SC2086  # methods is two words or none
        seci bench "$set_name" "$file" "$@" $methods --out "$out" --cache "$cache"
    else
        missing "$file"
    fi
}

for file in "$data"/locomo/*.json; do
    retrieval locomo "$file" --ablation
    retrieval locomo "$file" --pooled
done
for file in "$data"/longmemeval/longmemeval_s*.json "$data"/longmemeval/mini/full_haystack_questions.json; do
    retrieval longmemeval "$file"
done
retrieval beam "$data"/beam/beam_100K_dev.jsonl --ablation
if [ "${BENCH_LONG:-}" ]; then
    retrieval beam "$data"/beam/beam_500K_dev.jsonl
fi

gold=$data/gold transcripts=$data/transcripts/claude-code
if [ -d "$gold" ] && [ -d "$transcripts" ]; then
    retrieval sessions "$gold" --transcripts "$transcripts" --ablation
    say "context"
    seci bench context "$gold" --transcripts "$transcripts" --out "$out" --cache "$cache"
    if [ -e "$data"/locomo/locomo_dev.json ] && [ -e "$data"/beam/beam_100K_dev.jsonl ]; then
        say "weights"
        seci bench fit --locomo "$data"/locomo/locomo_dev.json --beam "$data"/beam/beam_100K_dev.jsonl \
            --gold "$gold" --transcripts "$transcripts" --out "$out" --cache "$cache"
    fi
    say "distill"
    seci bench distill "$gold" --transcripts "$transcripts" --json >"$out/distill.json"
    head -c 120 "$out/distill.json"
    echo
else
    missing "$gold or $transcripts"
fi

say "latency"
seci bench latency --out "$out"
seci bench assembly --out "$out"
seci bench processes --notes 10000 --out "$out"

say "consolidate"
seci bench consolidate --growth --out "$out"
if [ -e "$data/beam/beam_100K_dev.jsonl" ]; then
    seci bench updates beam "$data/beam/beam_100K_dev.jsonl" --out "$out" --cache "$cache"
fi
if [ -d "$data/longmemeval/mini" ]; then
    seci bench updates longmemeval "$data"/longmemeval/mini/*_questions.json --out "$out" --cache "$cache"
fi

say "results are in $out"
