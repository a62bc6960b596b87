/** A Chromium for tests: how it is started, and what a page must be free of. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Chromium sets these itself while it starts. If a new variable moves the environment while another thread reads it,
 * Chromium crashes, once in some hundred starts; replacing the value of one that exists moves nothing.
 */
const VARIABLES = { DBUS_SESSION_BUS_ADDRESS: 'disabled:', FC_FONTATIONS: '1' };

export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS, env: { ...process.env, ...VARIABLES } });
}

/** Collects what the browser complains about, including policy violations and requests to other origins. */
export function complaintsOf(page: Page, origin: string): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    // The browser itself reports refused requests; the page explains them.
    if (['error', 'warning'].includes(message.type()) && !/status of 40[145]/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) complaints.push(`outside request: ${request.url()}`);
  });
  return complaints;
}

const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

interface Axe {
  run(options: object): Promise<{
    readonly violations: readonly { id: string; impact: string; nodes: readonly { html: string }[] }[];
  }>;
}

/**
 * Returns the rules broken at serious or critical impact, by theme. It uses the debugger, because the page's policy
 * allows no new script. The page is loaded once; the second theme runs only the colour rules, because nothing else
 * differs.
 */
export async function axeViolations(page: Page): Promise<Record<'light' | 'dark', string[]>> {
  await page.evaluate(AXE);
  const inTheme = async (colorScheme: 'light' | 'dark', options: object) => {
    await page.emulateMedia({ colorScheme });
    // Scripts learn of the theme before the next frame.
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(painted)));
    return page.evaluate(async (given) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      const { violations } = await axe.run({ resultTypes: ['violations'], ...given });
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    }, options);
  };
  return { dark: await inTheme('dark', {}), light: await inTheme('light', { runOnly: COLOUR_RULES }) };
}

/** Returns what axe finds in either theme, and whether the page is wider than a phone. */
export async function pageFaults(page: Page): Promise<object | undefined> {
  const violations = await axeViolations(page);
  await page.setViewportSize({ width: 390, height: 780 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > 390);
  const isClean = !wide && violations.light.length === 0 && violations.dark.length === 0;
  return isClean ? undefined : { violations, wide };
}
