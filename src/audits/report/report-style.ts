/** The style of the HTML report; on paper it is black on white, and headings stay with their rule. */
import { DARK, LIGHT } from '../../palette.js';

export const REPORT_STYLE = `
:root{${LIGHT};--small:.8125rem;--lead:1.25rem;--display:4rem;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
@media (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:1rem/1.6 system-ui,sans-serif}
h1,h2,h3,p,ul,ol,dl,dd,table{margin:0;padding:0}
h1{font-size:var(--lead);font-weight:650;overflow-wrap:anywhere}
h2{font-size:var(--lead);font-weight:650;margin:3rem 0 1rem;letter-spacing:-.01em}
h3{font-size:1rem;font-weight:650}
a{color:var(--accent);text-underline-offset:.2em}
:focus-visible{outline:2px solid var(--accent);outline-offset:3px}
.wide{max-width:64rem;margin-inline:auto;padding-inline:clamp(1rem,4vw,2.5rem)}
.bar{border-bottom:1px solid var(--line)}
.bar .wide{display:flex;align-items:center;gap:.5rem;min-height:3.5rem;font-weight:650}
.bar svg{width:1.25rem;height:1.25rem;color:var(--accent)}
.bar span{margin-left:auto;font-weight:400;color:var(--muted);font-size:var(--small)}
.small{font-size:var(--small)}
.muted{color:var(--muted)}
code{font-family:var(--mono);font-size:.875em;overflow-wrap:anywhere}
.verdict{display:grid;grid-template-columns:auto minmax(0,1fr);gap:1rem 2rem;align-items:center;padding-block:2.5rem 1rem}
.score{font-size:var(--display);line-height:1;font-weight:650;letter-spacing:-.03em;font-variant-numeric:tabular-nums}
.score small{font-size:var(--lead);font-weight:400;color:var(--muted);letter-spacing:0}
.grade{font-size:var(--lead);font-weight:650}
.good{color:var(--pass)}.fair{color:var(--warn)}.poor{color:var(--critical)}
.say{max-width:70ch}
.panel{background:var(--panel);border:1px solid var(--line);border-radius:10px;padding:1rem 1.25rem}
.gates{border-left:4px solid var(--critical);margin-top:1rem}
.gates li{list-style:none}
.scores{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:.25rem 2.5rem}
.scores li{list-style:none;display:grid;grid-template-columns:9rem 1fr 2.5rem;gap:.75rem;align-items:center}
.scores meter{width:100%;height:.75rem}
.scores b{text-align:right;font-variant-numeric:tabular-nums}
.rule{margin-block:1rem}
.rule header{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline}
.tag{font-weight:650;white-space:nowrap}
.error{color:var(--critical)}.warn{color:var(--warn)}.info{color:var(--info)}.pass{color:var(--pass)}
.fix{max-width:70ch;margin:.25rem 0 .75rem}
.issues{font-size:var(--small)}
.issues>li{list-style:none;border-top:1px solid var(--line);padding-block:.5rem;display:grid;gap:.1rem .75rem;grid-template-columns:minmax(0,1fr)}
.issues p{overflow-wrap:anywhere}
.issues .url{font-weight:650}
.issues b{color:var(--muted);margin-right:.25rem}
.issues .place,.issues .place a{color:var(--muted)}
.issues .place a{display:inline-block;max-width:100%}
.url a,h1 a{color:inherit}
.rule header .code,.rule header code,.small .code{color:var(--muted)}
@media (min-width:48rem){.issues>li{grid-template-columns:minmax(0,5fr) minmax(0,4fr)}}
@media (max-width:36rem){.verdict{grid-template-columns:minmax(0,1fr)}}
.list li{margin-left:1.25rem}
.columns{columns:18rem;column-gap:2.5rem}
.columns li{break-inside:avoid;margin-left:1.25rem}
footer{margin-top:3rem;border-top:1px solid var(--line);padding-block:1.5rem;color:var(--muted);font-size:var(--small)}
@page{margin:16mm 14mm}
@media print{
:root{${LIGHT};--bg:#fff}
body{font-size:10pt}
.wide{max-width:none;padding-inline:0}
.bar .wide{min-height:0;padding-bottom:.5rem}
.panel{border-radius:0}
h2,h3,.rule header,.fix{break-after:avoid}
.issues>li,.gates,.verdict,.scores li{break-inside:avoid}
a{color:inherit;text-decoration:none}
}
`;
