#!/bin/sh
# A new vault from the sample sessions, and two questions to it. Touches nothing but a temporary folder.
set -eu
here=$(dirname "$0")
vault=$(mktemp -d)/vault
trap 'rm -rf "$(dirname "$vault")"' EXIT
export SECI_VAULT="$vault" SECI_CONFIG="$(dirname "$vault")/config.toml" SECI_RESIDENT=off

seci init "$vault"
seci distill "$here/sessions"
for question in "why were webhooks sent twice?" "which search engine did we choose, and why?"; do
  printf '\n$ seci remember "%s"\n' "$question"
  seci remember "$question" --budget 600
done
