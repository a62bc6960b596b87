/** The style sheet of every page: colours, four type sizes, one column of text. */
import { DARK, LIGHT } from '../../palette.js';

const BASE = `
:root{${LIGHT}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${DARK}}}
:root[data-theme=dark]{${DARK}}
:root{--small:.8125rem;--text:1rem;--lead:1.25rem;--display:clamp(2.25rem,1.6rem + 2.6vw,3.25rem);
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
*{box-sizing:border-box}
[hidden]{display:none!important}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:var(--text)/1.6 system-ui,sans-serif;min-height:100vh;
display:flex;flex-direction:column}
a{color:var(--accent);text-underline-offset:.2em;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:3px}
h1,h2,h3,p,dl,dd,ul,ol,pre,figure,fieldset{margin:0;padding:0}
h1{font-size:var(--display);line-height:1.08;letter-spacing:-.025em;font-weight:650;text-wrap:balance}
h2{font-size:var(--lead);line-height:1.3;letter-spacing:-.01em;font-weight:650}
h3{font-size:var(--text);font-weight:650}
code,pre,.wire{font-family:var(--mono);font-size:.9em}
.small{font-size:var(--small)}
.muted{color:var(--muted)}
.wide{width:100%;max-width:64rem;margin-inline:auto;padding-inline:clamp(1.25rem,4vw,2.5rem)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-99rem;background:var(--panel);padding:.5rem 1rem;z-index:2}
.skip:focus{left:1rem;top:1rem}
.panel{background:var(--panel);border:1px solid var(--line);border-radius:12px}
main{flex:1}
footer{display:flex;justify-content:space-between;padding-block:2rem;color:var(--muted);font-size:var(--small)}
`;

const BAR = `
.bar{border-bottom:1px solid var(--line)}
.bar .wide{display:flex;align-items:center;gap:1.75rem;min-height:4rem;flex-wrap:wrap;padding-block:.5rem}
.brand{display:flex;align-items:center;gap:.5rem;color:var(--ink);text-decoration:none;font-weight:650;
font-size:var(--lead);letter-spacing:-.02em}
.mark{width:1.5rem;height:1.5rem;color:var(--accent)}
nav[aria-label=Pages]{display:flex;gap:1.25rem;margin-right:auto}
nav[aria-label=Pages] a{color:var(--muted);text-decoration:none}
nav[aria-label=Pages] a:hover{color:var(--ink)}
nav[aria-label=Pages] a[aria-current]{color:var(--ink);font-weight:600}
.theme{border:1px solid var(--line);border-radius:99px;display:flex;padding:2px;background:var(--panel)}
.theme label{position:relative;font-size:var(--small);cursor:pointer}
.theme input{position:absolute;inset:0;opacity:0;margin:0;cursor:pointer}
.theme span{display:block;padding:.2rem .7rem;border-radius:99px;color:var(--muted)}
.theme input:checked+span{background:var(--accent);color:var(--panel);font-weight:600}
.theme input:focus-visible+span{outline:2px solid var(--accent);outline-offset:2px}
`;

const LANDING = `
.hero{display:grid;grid-template-columns:minmax(0,1fr) 22rem;gap:3rem;align-items:end;padding-block:0 3.5rem;
position:relative}
.hero .say{padding-top:5.5rem;padding-left:3.5rem;position:relative}
.hero .say::before{content:"";position:absolute;left:.6875rem;top:0;bottom:.75rem;width:1px;background:var(--accent)}
.hero .say::after{content:"";position:absolute;left:.25rem;bottom:.25rem;width:.875rem;height:.875rem;
border-radius:50%;background:var(--accent);box-shadow:0 0 0 .4rem var(--bg),0 0 0 calc(.4rem + 1px) var(--line)}
.hero h1 span{display:block}
@media (max-width:30rem){.hero h1{font-size:1.75rem}}
.hero .lead{text-wrap:pretty;font-size:var(--lead);line-height:1.5;color:var(--muted);margin-top:1.25rem;max-width:34rem}
.state{padding:1.25rem 1.4rem 1.15rem}
.verdict{display:flex;align-items:center;gap:.7rem;font-size:var(--lead);font-weight:650;line-height:1.3}
.shape{flex:none;width:1.1rem;height:1.1rem}
.state p+p,.state p+ul,.state ul+p{margin-top:.6rem}
.checks{list-style:none;display:flex;flex-wrap:wrap;gap:.4rem}
.checks li{font-size:var(--small);border:1px solid var(--line);border-radius:99px;padding:.05rem .6rem}
.is-pass{color:var(--pass)}.is-warn{color:var(--warn)}.is-critical{color:var(--critical)}.is-info{color:var(--info)}
button{font:inherit;font-size:var(--small);font-weight:600;color:var(--accent);background:none;cursor:pointer;
border:1px solid var(--accent);border-radius:99px;padding:.25rem .9rem}
button:hover{background:var(--accent);color:var(--panel)}
.login{margin-bottom:3.5rem;padding:1.25rem 1.4rem}
.login p+p{margin-top:.35rem}
.columns{display:grid;grid-template-columns:minmax(0,1fr) 22rem;gap:3rem;padding-block:3rem;
border-top:1px solid var(--line)}
.columns section>*+*{margin-top:1rem}
.rows{display:grid}
.rows>div{display:grid;grid-template-columns:9.5rem minmax(0,1fr);gap:.25rem 1.25rem;padding-block:.8rem;
border-top:1px solid var(--line)}
.rows>div:last-child{border-bottom:1px solid var(--line)}
pre{overflow-x:auto;padding:.9rem 1.1rem;line-height:1.55;white-space:pre}
@media (max-width:52rem){.hero,.columns{grid-template-columns:minmax(0,1fr);gap:2rem}
.hero .say{padding-top:3.5rem}}
@media (max-width:32rem){.bar .wide{gap:.5rem 1.25rem}.rows>div{grid-template-columns:minmax(0,1fr)}.hero .say{padding-left:2.5rem}}
@media (prefers-reduced-motion:no-preference){
.asking .shape{animation:ask 1.4s ease-in-out infinite}@keyframes ask{50%{opacity:.35}}}
`;

export const STYLE = [BASE, BAR, LANDING].join('').replaceAll('\n', '');
