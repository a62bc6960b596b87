#!/usr/bin/env bash
# One run of sonde in a pipeline, for action.yml and gitlab.yml: variables in, reports and a verdict out. Under GitHub
# it exits with 0, so that the steps after it run, and `exit-code` in GITHUB_OUTPUT has the verdict; elsewhere it exits
# with it.
set -uo pipefail
# Of gitlab.yml, and no settings of the program, which refuses names that it does not know.
unset SONDE_REPOSITORY SONDE_REF
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
report="${REPORT:-sonde-report}"
mkdir -p "$report"
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
      echo 'mode compare needs left and right' >&2
      exit 2
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
      echo 'mode audit needs url' >&2
      exit 2
    fi
    args+=(audit "$URL")
    add --pages "${PAGES:-}"
    ;;
  *)
    echo "mode is compare or audit, not ${MODE}" >&2
    exit 2
    ;;
esac
add --fail-on "${FAIL_ON:-}"
add --baseline "${BASELINE:-}"
add_lines --ignore "${IGNORE:-}"
add_lines --allow-private "${ALLOW_PRIVATE:-}"
reporters="pretty,html=$report/report.html,json=$report/report.json,junit=$report/report.xml"
reporters="$reporters,sarif=$report/report.sarif,md=$report/report.md"
[ -z "${GITHUB_ACTIONS:-}" ] || reporters="$reporters,github"
code=0
node "$here/dist/sonde.js" "${args[@]}" -r "$reporters" || code=$?
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || [ ! -f "$report/report.md" ] || cat "$report/report.md" >> "$GITHUB_STEP_SUMMARY"
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  printf 'report=%s\nexit-code=%s\n' "$report" "$code" >> "$GITHUB_OUTPUT"
  exit 0
fi
exit "$code"
