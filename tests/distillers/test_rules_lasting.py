"""What does not last in a session: what was taken back, overturned, only put up for choice or only supposed."""

from __future__ import annotations

from seci.core.note import Tier
from seci.core.session import Session
from seci.distillers.assembly import Scored
from seci.distillers.candidate import Candidate
from seci.distillers.language import load_cues
from seci.distillers.passages import Unit
from seci.distillers.salience import is_passing, score_unit
from seci.distillers.selection import says_the_same
from tests.distillers.sessions import distill, session_of


def told(session: Session) -> str:
    return " ".join(f"{draft.title} {draft.body}" for draft in distill(session))


def test_a_claim_that_the_same_answer_takes_back_is_not_told() -> None:
    session = session_of(
        ("user", "how do I let the mailer sign its messages with two keys?"),
        (
            "assistant",
            "The mailer supports a `keys` list in `mail.toml`, so both can be given there and are used in turn.\n\n"
            "Let me check the documentation.\n\n"
            "I'm sorry, I made that up. The mailer reads a single `key` from `mail.toml`, because the signature header "
            "holds one selector only. A second key needs a second relay with its own selector.",
        ),
    )
    text = told(session)
    assert "`keys`" not in text
    assert "second relay" in text


def test_what_stood_before_a_retraction_about_something_else_stays() -> None:
    session = session_of(
        ("user", "what limits the size of an upload, and how long may it take?"),
        (
            "assistant",
            "Nginx rejects bodies above 8 MB because `client_max_body_size` is set in `edge.conf`.\n\n"
            "Workers stop after 20 seconds because `job_timeout` is set in the scheduler.\n\n"
            "Correction: workers never stop by themselves, since `job_timeout` defaults to 0 in the scheduler.",
        ),
    )
    text = told(session)
    assert "client_max_body_size" in text and "job_timeout" in text
    assert "20 seconds" not in text


OPTIONS = (
    "The exporter loses rows because `flush()` is called before the writer thread has ended.\n\n"
    "**Option 1: Join the thread**\n"
    "- `flush()` then always runs last, which costs a few milliseconds at exit\n\n"
    "**Option 2: Write synchronously**\n\n"
    "The whole `WriterThread` class can go, because rows never have to wait in `row_queue` then. `export()` must "
    "always return only when the last row is on disk, so that callers never see half a file.\n\n"
    "{}"
)


def test_an_option_that_nobody_took_is_not_told() -> None:
    session = session_of(
        ("user", "why does the exporter lose rows?"),
        ("assistant", OPTIONS.format("I recommend option 1, since it changes the least.")),
    )
    text = told(session)
    assert "exporter loses rows" in text
    assert "WriterThread" not in text


def test_possible_causes_are_no_facts() -> None:
    session = session_of(
        ("user", "the nightly import did not run, any idea?"),
        (
            "assistant",
            "The import never starts, because `cron` on the host `etl-2` was replaced on Monday without its crontab, "
            "and nothing else calls `run_import`.\n\n"
            "**Possible causes:**\n"
            "- The database refuses `etl-2` because its address is not in `pg_hba.conf`\n"
            "- The disk of the `staging` volume is full, which stops every import\n",
        ),
    )
    text = told(session)
    assert "without its crontab" in text
    assert "pg_hba.conf" not in text and "`staging`" not in text


def test_people_made_up_to_think_with_are_not_told() -> None:
    session = session_of(
        ("user", "should two editors be able to lock one page?"),
        (
            "assistant",
            "A lock must belong to one editor only, because `PageLock` is keyed by page.\n\n"
            "- User A: opens the page and starts to write a long text into it\n"
            "- User B: only reads the page and then closes it without a change\n",
        ),
    )
    text = told(session)
    assert "keyed by page" in text
    assert "User B" not in text and "user B" not in text


def test_arguments_for_a_way_that_the_next_answer_calls_a_mistake_go() -> None:
    session = session_of(
        ("user", "when should the cart price be computed?"),
        (
            "assistant",
            "The price should be computed at checkout only, because `CartTotal` needs the shipping address and the "
            "address is not known before. Nothing has to be stored in the cart that way.",
        ),
        (
            "user",
            "people see a total in the cart long before checkout, so the price has to be there when an item is added, "
            "and at checkout only shipping is put on top",
        ),
        (
            "assistant",
            "I missed that. The price of the items is computed in `add_item`, because the cart page shows a total, and "
            "`CartTotal` adds shipping at checkout once the address is known.",
        ),
    )
    text = told(session)
    assert "`add_item`" in text
    assert "at checkout only, because" not in text


def test_what_the_user_had_removed_is_not_explained() -> None:
    session = session_of(
        ("user", "how does the client choose a server?"),
        (
            "assistant",
            "The client asks `PickServer`, which must always return the server with the fewest open requests, "
            "because long requests pile up otherwise.",
        ),
        ("user", "let's remove `PickServer`, the load balancer does that already"),
        (
            "assistant",
            "Good point. The client now sends every request to the balancer, because it already counts open requests.",
        ),
    )
    text = told(session)
    assert "the balancer" in text
    assert "fewest open requests" not in text


def test_a_worry_is_dropped_once_the_session_says_how_it_is() -> None:
    session = session_of(
        ("user", "can you review the move of `Invoice`?"),
        (
            "assistant",
            "`Invoice` moved from the `billing` package to `orders`. This could break stored documents that were "
            "written with the old type, so the migration has to be tested with existing documents.",
        ),
        ("user", "is that so?"),
        (
            "assistant",
            "Stored documents of `Invoice` hold field names only, so moving the type to `orders` changes nothing for "
            "existing documents in `billing`, because the package name is never written.",
        ),
    )
    text = told(session)
    assert "never written" in text
    assert "could break" not in text


def test_a_plan_that_was_carried_out_replaces_the_proposal_before_it() -> None:
    session = session_of(
        ("user", "how can the release upload its packages to the mirror?"),
        (
            "assistant",
            "The mirror only accepts an upload with a password, so `MIRROR_PASSWORD` must be set in the release "
            "workflow. Packages without a password are refused because the mirror is open to the world.",
        ),
        (
            "user",
            "Implement the following plan:\n\n# Upload the release packages to the mirror\n\n## Setup\n\n"
            "The release workflow uploads its packages to the mirror with a short-lived `MIRROR_TOKEN`, because "
            "the mirror accepts a token instead of a password and it must never be stored.\n",
        ),
        ("assistant", "The release workflow now asks the mirror for a `MIRROR_TOKEN` before each upload."),
    )
    text = told(session)
    assert "MIRROR_TOKEN" in text
    assert "MIRROR_PASSWORD" not in text


def test_a_sentence_about_things_named_before_it_does_not_stand_alone() -> None:
    session = session_of(
        ("user", "add the two reminders"),
        (
            "assistant",
            "Now let me write them.\n\n"
            "Both handlers must respect `QuietHours`, because people are not to be woken at night.\n",
        ),
    )
    assert "Both handlers" not in told(session)


def test_the_one_thing_that_a_heading_names_is_lent_to_the_list_under_it() -> None:
    session = session_of(
        (
            "user",
            "Implement the following plan:\n\n# Tidy the spool\n\n## Update `purge_spool`\n\nFor each file:\n\n"
            "1. If it is older than 30 days, `mv` takes it to `attic/`\n"
            "2. If it has no owner, `chown` gives it to `mailer`\n",
        ),
        ("assistant", "I'll start."),
    )
    assert "In `purge_spool`, for each file: if it is older than 30 days" in told(session)


REASONS = (
    "Given the setup, a static build makes more sense because:\n"
    "1. You have customers without a package manager\n"
    "2. You're already signing `shipper` on each release\n"
    "3. {}\n"
)


def test_reasons_are_told_of_the_user_and_all_of_them() -> None:
    session = session_of(
        ("user", "static or dynamic?"), ("assistant", REASONS.format("The image must never need `libssl` of the host"))
    )
    text = told(session)
    assert "because: the user has customers without a package manager; the user is already signing `shipper`" in text
    assert "never need `libssl` of the host" in text


def test_a_list_of_reasons_is_not_told_without_one_of_them() -> None:
    session = session_of(
        ("user", "static or dynamic?"),
        (
            "assistant",
            "A static build fails on the old hosts because:\n"
            "1. The image must never need `libssl` of the host\n"
            "2. The resolver of `musl` ignores `nsswitch.conf`\n"
            "3. Does `getaddrinfo` matter to you?\n",
        ),
    )
    assert "because" not in told(session)


def test_what_the_assistant_failed_to_do_is_told_as_what_must_be_done() -> None:
    session = session_of(
        ("user", "the badge stays grey, why?"),
        (
            "assistant",
            "The badge stays grey because I'm not setting the `Owner` field in `BadgeContext`, so the lookup never "
            "finds a person.",
        ),
    )
    assert "The badge stays grey unless the `Owner` field in `BadgeContext` is set." in told(session)


def test_a_title_never_says_the_contrary_by_leaving_out_the_condition() -> None:
    session = session_of(
        ("user", "the log of the helper is missing from the archive, why?"),
        (
            "assistant",
            "The log of the helper isn't copied into the nightly archive because I'm not setting the `HelperID` field "
            "in the `ArchiveContext`. The archive holds the id, the name and the start of each helper.",
        ),
    )
    [note] = [draft for draft in distill(session) if draft.tier is not Tier.EPISODE]
    assert note.title == "The `HelperID` field in the `ArchiveContext` must be set"


def test_what_the_assistant_was_doing_just_then_is_not_told() -> None:
    session = session_of(
        ("user", "the badge stays grey, why?"),
        ("assistant", "The lookup finds nobody since I'm still building the index of the people under `badges/`."),
    )
    assert "index of the people" not in told(session)


def test_two_unrelated_things_of_one_answer_are_no_single_note() -> None:
    gap = "Let me look further.\n\n" * 4
    session = session_of(
        ("user", "anything odd in the shop?"),
        (
            "assistant",
            "Vouchers never expire because `valid_until` is compared as a string.\n\n"
            + gap
            + "The nightly mirror must run after `rsync_images`, since pictures would be missing otherwise.",
        ),
    )
    bodies = [draft.body for draft in distill(session) if draft.tier is not Tier.EPISODE]
    assert any("valid_until" in body for body in bodies)
    assert not any("valid_until" in body and "rsync_images" in body for body in bodies)


def test_what_a_language_does_for_everybody_is_no_note() -> None:
    session = session_of(
        ("user", "what is the tag in the first line for?"),
        (
            "assistant",
            "In Rust, `cfg` attributes are a way to leave code out when it is not needed on a platform.\n\n"
            "Rust supports `cfg` on modules, functions and fields, and the compiler must never see what is left out.",
        ),
    )
    assert "Rust" not in told(session)


def test_what_a_language_does_does_not_name_the_note_that_applies_it() -> None:
    session = session_of(
        ("user", "why does the price list change its order?"),
        (
            "assistant",
            "Go maps are always iterated in random order, because nobody must rely on `range`. The price list comes "
            "from such a map, so rows of it change their place on each run.",
        ),
    )
    notes = [draft for draft in distill(session) if draft.tier is not Tier.EPISODE]
    assert notes and not any(note.title.startswith("Go maps") for note in notes)


def test_a_list_of_alternatives_is_not_told() -> None:
    session = session_of(
        ("user", "the word is too long for the button"),
        (
            "assistant",
            "The button cuts labels because `max_width` is 80 pixels in `button.css`.\n\n"
            "Some alternatives:\n"
            '- "Send": short and known to everybody who writes mail\n'
            '- "Dispatch": closer to what `Outbox` does with a letter\n',
        ),
    )
    text = told(session)
    assert "max_width" in text
    assert "Dispatch" not in text


def test_an_option_whose_bold_line_names_code_is_an_option() -> None:
    session = session_of(
        ("user", "why does the exporter lose rows?"),
        (
            "assistant",
            OPTIONS.replace("Write synchronously", "Use `ROW_MODE` everywhere").format("I recommend option 1."),
        ),
    )
    assert "WriterThread" not in told(session)


def note_of(text: str) -> Candidate:
    return Candidate("", (Scored(Unit(text, 1), 1.0),), None, (1,), 3.0, 0)


def test_a_note_that_names_nothing_new_says_the_same_sooner() -> None:
    setup = note_of(
        "Required setup: create the bot in the `parcels` organisation with write access; install it on `labels`; and "
        "add the secret of the bot to the repository."
    )
    steps = "Install the bot on `labels`: open its settings, choose the organisation {} and click the green button."
    assert says_the_same(note_of(steps.format("`parcels`")), setup)
    assert not says_the_same(note_of(steps.format("`letters`")), setup)


def titles(session: Session) -> list[str]:
    return [draft.title for draft in distill(session) if draft.tier is not Tier.EPISODE]


def test_the_title_is_not_the_half_that_works() -> None:
    session = session_of(
        ("user", "why do labels end up in the wrong tray?"),
        (
            "assistant",
            "`OrderKey` is now correctly kept by `KeepKey`. The tray is still looked up with `DayKey`, which changes "
            "at midnight. This leads to a mismatch between `OrderKey` and the tray.",
        ),
    )
    assert not any("correctly" in title for title in titles(session))


def test_the_title_is_not_what_was_overcome() -> None:
    session = session_of(
        ("user", "is the `reset` link safe?"),
        (
            "assistant",
            "`ResetLink` leaks its token into the access log because the token stands in the address. Addresses are "
            "written by `nginx`. Forms carry it since, and the token of `ResetLink` is no longer in the log.",
        ),
    )
    assert titles(session)
    assert not any("leaks its token" in title for title in titles(session))


def test_a_comparison_is_titled_with_what_it_comes_to() -> None:
    session = session_of(
        ("user", "static or dynamic?"),
        (
            "assistant",
            "## Static Builds vs Dynamic Builds of the Shipper\n\n"
            "Given the hosts, a static build of the shipper makes more sense because it must never need `libssl` of "
            "the host.",
        ),
    )
    assert titles(session)[0].startswith("A static build of the shipper makes more sense")


def test_the_title_tells_the_limit_and_not_what_shows() -> None:
    session = session_of(
        ("user", "I did it by hand, look"),
        (
            "assistant",
            "The letter now shows in the `inbox` list, and its folder is empty. The archive does support letters "
            "without a folder, but the `file_letter` call only has a `folder` parameter, not a `person` parameter.",
        ),
    )
    assert titles(session) == ["The `file_letter` call only has a `folder` parameter, not a `person` parameter"]


def test_a_fact_told_twice_in_one_answer_stands_once() -> None:
    session = session_of(
        ("user", "why does `sort_mail` hang?"),
        (
            "assistant",
            "The sorter calls `lock()` with `Mailbox`, a known trap.\n\n"
            "The problem is that the sorter (run by `cron` at night) calls `lock()` together with `Mailbox` while "
            "the reader holds it, so both wait forever.",
        ),
    )
    bodies = [draft.body for draft in distill(session) if draft.tier is not Tier.EPISODE]
    assert bodies and not any("known trap" in body for body in bodies)


def test_what_was_seen_on_the_screen_is_not_in_the_note() -> None:
    session = session_of(
        ("user", "I did it by hand, look"),
        (
            "assistant",
            "The letter now shows in the `inbox` list, and its `folder` is empty. The archive does support letters "
            "without a folder, but `file_letter` only has a `folder` parameter. The archive clearly allows it since "
            "you did it by hand.",
        ),
    )
    text = " ".join(draft.body for draft in distill(session) if draft.tier is not Tier.EPISODE)
    assert "now shows" not in text and "since you did" not in text
    assert "only has a `folder` parameter" in text


def test_the_alternative_in_a_nested_list_is_not_cut_off() -> None:
    session = session_of(
        (
            "user",
            "Implement the following plan:\n\n# Keep old letters\n\n## Change `store_letter`\n\n"
            "1. If `archive/` lacks the letter → it is written as it is\n"
            "2. If `archive/` holds the letter → it is a repeat:\n"
            "   - If `KEEP_OLD` is set, the old one stays. Nothing else happens.\n"
            "   - Otherwise the old one is moved to `attic/`. The new one is written.\n",
        ),
        ("assistant", "I'll start."),
    )
    assert "otherwise the old one is moved to `attic/`" in told(session)


def test_a_way_through_a_screen_is_worth_less_than_what_is_set_there() -> None:
    cues = load_cues()["en"]
    clicks = "To add the key: click Settings; choose Keys; and click Add next to the `deploy` key."
    values = "To add the key: the `deploy` key must be the one of `runner-2`; and the owner must be `ops`."
    assert score_unit(Unit(clicks, 1, listed=True), False, cues) < score_unit(Unit(values, 1, listed=True), False, cues)
    assert is_passing(clicks) and not is_passing(values)


def test_the_title_is_not_cut_off_before_its_point() -> None:
    session = session_of(
        ("user", "does `mask_mail` catch everything?"),
        (
            "assistant",
            "The `mask_mail` function masks the names, streets, towns, phone numbers and birthdays of all customers, "
            "but does NOT include `Invoice.note`. `Invoice.note` must be masked too, because clerks write phone "
            "numbers into it.",
        ),
    )
    assert titles(session)
    assert not any(title.startswith("The `mask_mail` function masks") for title in titles(session))


def test_the_fix_names_a_note_and_not_what_would_be() -> None:
    session = session_of(
        ("user", "why does the check complain?"),
        (
            "assistant",
            "In real use, `.shop/settings.json` would be committed. The fix is to add `.shop` to `.git/info/exclude` "
            "in `init_shop`, so that the folder never shows up as untracked.",
        ),
    )
    assert titles(session)[0].startswith("Add `.shop` to `.git/info/exclude` in `init_shop`")


def test_what_was_told_before_an_owned_mistake_gives_way_to_what_is_told_after_it() -> None:
    session = session_of(
        ("user", "where is the sender of a letter filled in?"),
        (
            "assistant",
            "`read_letter` parses `LetterHead`, which only has `date` and `subject`. Compare that with `read_parcel`, "
            "which sets the weight explicitly because postage depends on weight. The backfill in `file_letter` won't "
            "help either, since clerks hand over nothing beside the folder.",
        ),
        ("user", "the manual says that the scanner sends it, see page 12"),
        (
            "assistant",
            "You're right, my mistake. Let me read that page of the manual again and see what comes with it.",
        ),
        (
            "assistant",
            "The scanner sends a `sender` field. `LetterHead` only had `date` and `subject`, "
            "so the `sender` was always empty, because `read_letter` never parsed it.",
        ),
    )
    text = " ".join(draft.body for draft in distill(session) if draft.tier is not Tier.EPISODE)
    assert "always empty" in text
    assert "clerks hand over nothing" not in text


def test_a_supposed_cause_is_not_told() -> None:
    session = session_of(
        ("user", "why is the tray full?"),
        (
            "assistant",
            "The problem is likely that `sort_mail` never runs at night because `cron` lost its table.\n\n"
            "The tray is emptied by `sort_mail` only when `inbox/` has more than 50 letters, so it never ran in July.",
        ),
    )
    text = told(session)
    assert "more than 50 letters" in text
    assert "lost its table" not in text


def test_a_proposal_goes_when_the_user_asks_for_another_way_and_gets_it() -> None:
    session = session_of(
        ("user", "how should the app find its server?"),
        (
            "assistant",
            "A list of servers in `servers.toml` is simpler for the app than a registry, because the app then never "
            "asks anybody and the list is read once.",
        ),
        ("user", "why not ask the registry, servers come and go every day"),
        (
            "assistant",
            "Good idea. The app now asks the registry for its server at each start, because a list of servers would "
            "be stale after a day.",
        ),
    )
    text = " ".join(draft.body for draft in distill(session) if draft.tier is not Tier.EPISODE)
    assert "asks the registry" in text
    assert "servers.toml" not in text
