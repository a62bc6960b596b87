/** The style sheet of an HTML report: the product's colours, system fonts, four sizes, and the system's theme. */
import { DARK, LIGHT } from '../../palette.js';

export const REPORT_STYLE = `
:root{${LIGHT}}
@media (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:72rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.75rem;line-height:1.2;margin:.25rem 0 .5rem}
h2{font-size:1.25rem;margin:2.5rem 0 .75rem}
h3{font-size:1rem;margin:1.25rem 0 0}
.finding h3{margin:0}
.sides h2{font-size:1rem;margin:0;overflow-wrap:anywhere}
.sides h2 .muted{font-weight:400}
.lead{font-size:1.25rem}
p{max-width:70ch;margin:.5rem 0}
code,.wire,td.v{font:.8125rem/1.5 ui-monospace,monospace;overflow-wrap:anywhere;white-space:pre-wrap}
.brand{display:flex;gap:.5rem;align-items:center;color:var(--muted);font-size:.8125rem}
.brand svg{width:1rem;height:1rem}
.verdict{font-weight:700}
.fail,.critical{color:var(--critical)}.warn,.inconclusive{color:var(--warn)}.info{color:var(--info)}.pass{color:var(--pass)}
.muted{color:var(--muted)}
.sides{display:grid;grid-template-columns:1fr 1fr;gap:1rem;margin:1rem 0}
.sides>div,.finding,.cause{background:var(--panel);border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem}
.tally{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;margin:1rem 0;padding:0;list-style:none}
.tally b{font-variant-numeric:tabular-nums}
.finding{margin:.75rem 0;border-left:.25rem solid var(--line)}
.finding.is-critical{border-left-color:var(--critical)}.finding.is-warn{border-left-color:var(--warn)}.finding.is-info{border-left-color:var(--info)}
.finding header{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline}
.sev{font-weight:700;white-space:nowrap}
.what{margin:.25rem 0}
.where{font-weight:600}
.code{margin-left:auto}
.excerpt{background:var(--bg);border-radius:.25rem;padding:.25rem .75rem;margin:.5rem 0;overflow-wrap:anywhere}
del{color:var(--critical);text-decoration:line-through}ins{color:var(--pass);text-decoration:underline}
.paths{columns:18rem;padding-left:1.25rem;overflow-wrap:anywhere}
.path{border-top:1px solid var(--line);padding-top:.5rem}
.pair{margin:.5rem 0}
table{border-collapse:collapse;width:100%;margin:.5rem 0;table-layout:fixed}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
th{text-align:left;overflow-wrap:anywhere;vertical-align:bottom;font-size:.8125rem;color:var(--muted);font-weight:600;padding:.25rem .5rem .25rem 0;border-bottom:1px solid var(--line)}
td{vertical-align:top;padding:.375rem .75rem .375rem 0;border-bottom:1px solid var(--line)}
th.k,td.k{width:16%}
.do{margin:.5rem 0 0}
ul.plain,ol.plain{margin:.5rem 0;padding-left:1.25rem;max-width:70ch}
details{margin:1rem 0}
summary{cursor:pointer;font-weight:600}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
footer{margin-top:3rem;color:var(--muted);font-size:.8125rem}
@media (max-width:40rem){main{padding:1.25rem .875rem 3rem}.sides{grid-template-columns:1fr}.code{margin-left:0}
table,tbody,tr,td{display:block}thead{display:none}tr{border-bottom:1px solid var(--line);padding:.375rem 0}td,td.k{border:0;padding:.125rem 0;width:auto}td.v::before{content:attr(data-side);display:block;color:var(--muted);font:600 .8125rem/1.4 system-ui,sans-serif}}
@media print{details{display:block}}
`.trim();
