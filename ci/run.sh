#!/usr/bin/env bash
# One run of sonde in a pipeline, for action.yml and gitlab.yml: variables in, reports and a verdict out. Under GitHub
# it exits with 0, so that the steps after it run, and `exit-code` in GITHUB_OUTPUT has the verdict; elsewhere it exits
# with it.
#
# The checkout belongs to whoever wrote the branch, and the output to whoever wrote the compared pages. So no file of the
# checkout is read unless a variable names it, nothing is written or published through a link, and the runner obeys only
# the annotations that sonde itself composed.
set -uo pipefail
# Of gitlab.yml, and no settings of the program, which refuses names that it does not know.
unset SONDE_REPOSITORY SONDE_REF
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
report="${REPORT:-sonde-report}"
fail() {
  printf '%s\n' "$1" >&2
  exit 2
}
# Credentials go to sonde as arguments only.
export -n HEADER_LEFT HEADER_RIGHT 2>/dev/null
args=()
# add FLAG VALUE: nothing where the value is empty.
add() { [ -z "${2:-}" ] || args+=("$1" "$2"); }
# add_lines FLAG TEXT: once per line.
add_lines() {
  local line
  while IFS= read -r line; do
    line="$(printf '%s' "$line" | tr -d '\r')"
    [ -z "$line" ] || args+=("$1" "$line")
  done <<< "${2:-}"
}
case "${MODE:-compare}" in
  compare)
    if [ -z "${LEFT:-}" ] || [ -z "${RIGHT:-}" ]; then
      fail 'mode compare needs left and right'
    fi
    args+=(compare "$LEFT" "$RIGHT")
    add --candidate "${CANDIDATE:-}"
    add --samples "${SAMPLES:-}"
    add --paths "${PATHS:-}"
    add --sitemap "${SITEMAP:-}"
    add --openapi "${OPENAPI:-}"
    add --label-left "${LABEL_LEFT:-}"
    add --label-right "${LABEL_RIGHT:-}"
    add --header-left "${HEADER_LEFT:-}"
    add --header-right "${HEADER_RIGHT:-}"
    ;;
  audit)
    if [ -z "${URL:-}" ]; then
      fail 'mode audit needs url'
    fi
    args+=(audit "$URL")
    add --pages "${PAGES:-}"
    ;;
  *)
    fail "mode is compare or audit, not ${MODE}"
    ;;
esac
add --fail-on "${FAIL_ON:-}"
add --baseline "${BASELINE:-}"
add_lines --ignore "${IGNORE:-}"
add_lines --allow-private "${ALLOW_PRIVATE:-}"

# refuse_links PATH: neither it nor a folder above it that is part of the checkout may be a link.
refuse_links() {
  local path="${1#"$PWD"/}"
  while :; do
    [ ! -L "$path" ] || fail "$path is a link; reports are not written through links: remove it from the branch"
    case "$path" in /*) break ;; */*) path="${path%/*}" ;; *) break ;; esac
  done
}
refuse_links "${report%/}"
mkdir -p -- "$report" || fail "$report cannot be created"
# The folder is uploaded, and a link in it would publish what it leads to.
link="$(find "$report/" -type l | head -n 1)"
[ -z "$link" ] || fail "$link is a link; reports are not published through links: remove it from the branch"
# What is there after the run was written by the run.
for name in report.html report.json report.xml report.sarif report.md; do
  rm -f -- "$report/$name" || fail "$report/$name cannot be replaced"
done

work="$(mktemp -d)" || fail 'there is no folder for temporary files'
trap 'rm -rf -- "$work"' EXIT
if [ -z "${CONFIG:-}" ]; then
  # A configuration file can run code and redirect requests, so one that happens to be in the checkout is not used.
  CONFIG="$work/none.json"
  printf '{}\n' > "$CONFIG"
elif [ -n "${HEADER_LEFT:-}${HEADER_RIGHT:-}" ]; then
  fail 'config cannot be combined with header-left or header-right: the file could send them to another host'
fi
args+=(--config "$CONFIG")

reporters="pretty,html=$report/report.html,json=$report/report.json,junit=$report/report.xml"
reporters="$reporters,sarif=$report/report.sarif,md=$report/report.md"
run_sonde() { node "$here/dist/sonde.js" "${args[@]}" -r "$reporters"; }
code=0
if [ -z "${GITHUB_ACTIONS:-}" ]; then
  run_sonde || code=$?
else
  # Between the two lines the runner obeys nothing, whatever a page makes sonde print. Annotations come after them.
  reporters="$reporters,github=$work/annotations"
  token="$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
  [ "${#token}" -eq 32 ] || fail 'there is no source of random numbers'
  printf '::stop-commands::%s\n' "$token"
  run_sonde 2>&1 || code=$?
  printf '\n::%s::\n' "$token"
  [ ! -f "$work/annotations" ] || cat "$work/annotations"
fi
wrote=false
[ ! -f "$report/report.md" ] || [ -L "$report/report.md" ] || wrote=true
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || [ "$wrote" = false ] || cat "$report/report.md" >> "$GITHUB_STEP_SUMMARY"
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  printf 'report=%s\nwrote=%s\nexit-code=%s\n' "$report" "$wrote" "$code" >> "$GITHUB_OUTPUT"
  exit 0
fi
exit "$code"
