/** Every row of the provider tables hides its token; text that only resembles a token stays. */
import { expect, test } from 'vitest';
import { ANCHORED_TOKENS, PROVIDER_TOKENS } from './provider-tokens.js';
import { createRedactor } from './redactor.js';

const { text } = createRedactor();
const mixed = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0za';
const hex = '0123456789abcdef'.repeat(5);
const upper = 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L';

/** Sample tokens of each provider. */
const samples: Readonly<Record<string, readonly string[]>> = {
  'AWS access key': ['AKIAIOSFODNN7EXAMPLE', 'ASIAIOSFODNN7EXAMPLE'],
  'AWS Bedrock': [`ABSK${mixed}${mixed}==`],
  GitHub: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => prefix + mixed),
  'GitHub fine-grained': [`github_pat_${mixed}_${mixed}`],
  GitLab: ['glpat-', 'gldt-', 'glrt-', 'glptt-'].map((prefix) => prefix + mixed),
  'GitLab runner': [`GR1348941${mixed}`],
  Slack: [`xoxb-123456789012-${mixed}`, `xoxe.xoxp-1-${mixed}`],
  'Slack app': [`xapp-1-A0123-456-${hex}`],
  Stripe: [`sk_live_${mixed}`, `rk_test_${mixed}`],
  'Stripe webhook': [`whsec_${mixed}`],
  'Google API': [`AIza${mixed}aB3`],
  'Google OAuth': [`ya29.${mixed}`],
  'Google client secret': [`GOCSPX-${mixed}`],
  'Google refresh token': [`1//0${mixed}`],
  'OpenAI, Anthropic, OpenRouter': [`sk-${mixed}`, `sk-proj-${mixed}`, `sk-ant-api03-${mixed}`],
  npm: [`npm_${mixed}`],
  PyPI: [`pypi-AgEIcHlwaS5vcmc${mixed}`],
  SendGrid: [`SG.${mixed}.${mixed}`],
  Vault: [`hvs.${mixed}`, `hvb.${mixed}`],
  'Vault, old': [`s.${mixed.slice(0, 24)}`],
  DigitalOcean: ['dop_v1_', 'doo_v1_', 'dor_v1_'].map((prefix) => prefix + hex),
  Databricks: [`dapi${hex.slice(0, 32)}-2`],
  'Hugging Face': [`hf_${mixed}`, `api_org_${mixed}`],
  Shopify: ['shpat_', 'shpss_', 'shpca_', 'shppa_'].map((prefix) => prefix + hex.slice(0, 32)),
  Twilio: [`SK${hex.slice(0, 32)}`],
  Mailgun: [`key-${hex.slice(0, 32)}`],
  Brevo: [`xkeysib-${hex.slice(0, 64)}-${mixed.slice(0, 16)}`],
  Linear: [`lin_api_${mixed}`],
  Notion: [`ntn_${mixed}${mixed}`, `secret_${mixed}${mixed}`],
  Postman: [`PMAK-${hex.slice(0, 24)}-${hex.slice(0, 34)}`],
  Cloudflare: [`cfut_${mixed}`, `v1.0-${hex.slice(0, 24)}-${hex.slice(0, 64)}`],
  Doppler: [`dp.pt.${mixed}`],
  age: [`AGE-SECRET-KEY-1${upper}${upper}`],
  Docker: [`dckr_pat_${mixed}`],
  Tailscale: [`tskey-auth-${mixed}`],
  PlanetScale: [`pscale_pw_${mixed}`],
  Atlassian: [`ATATT3${mixed}${mixed}`],
  Figma: [`figd_${mixed}`],
  'New Relic': [`NRAK-${upper}`],
  Grafana: [`glsa_${mixed}_01234567`, `glc_${mixed}`],
  Sentry: [`sntrys_${mixed}`],
  Dynatrace: [`dt0c01.${upper.slice(0, 24)}.${upper}${upper}`],
  Supabase: [`sbp_${hex.slice(0, 40)}`, `sb_secret_${mixed}`],
  RubyGems: [`rubygems_${hex.slice(0, 48)}`],
  Replicate: [`r8_${mixed}`],
  Groq: [`gsk_${mixed}`],
  'xAI, Perplexity': [`xai-${mixed}`, `pplx-${mixed}`],
  Fly: [`fo1_${mixed}`, `fm2_${mixed}`],
  Netlify: [`nfp_${mixed}`],
  Airtable: [`pat${mixed.slice(0, 14)}.${hex.slice(0, 64)}`],
  HubSpot: ['pat-na1-01234567-89ab-cdef-0123-456789abcdef'],
  Pulumi: [`pul-${hex.slice(0, 40)}`],
  Heroku: [`HRKU-${mixed}`],
  '1Password': [`ops_eyJ${mixed}${mixed}`],
  Square: [`sq0atp-${mixed}`],
  Alibaba: [`LTAI${mixed.slice(0, 20)}`],
  Telegram: [`1234567890:AA${mixed}a`],
  Mailchimp: [`${hex.slice(0, 32)}-us12`],
  Terraform: [`${mixed.slice(0, 14)}.atlasv1.${mixed}${mixed}`],
  Discord: [`M${mixed.slice(0, 23)}.G1a2b3.${mixed}`],
  'Azure AD client secret': [`abc8Q~${mixed}a`],
};

test('every provider has a sample', () => {
  const rows = [...PROVIDER_TOKENS, ...ANCHORED_TOKENS].map(({ provider }) => provider);
  expect(Object.keys(samples).sort()).toEqual([...rows].sort());
});

test.each(Object.entries(samples))('hides tokens: %s', (_provider, tokens) => {
  for (const token of tokens) {
    for (const around of [token, `see ${token}, then`, `"${token}"`, `x\\n${token}\\n`]) {
      const redacted = text(around);
      expect(redacted).toContain('[REDACTED]');
      expect(redacted).not.toContain(token.slice(-8));
      expect(redacted).not.toContain(token.slice(-20, -12));
    }
  }
});

test.each([
  ['https://hooks.slack.com/services/T0/B0/aB3dE5gH7j', 'https://hooks.slack.com/services/[REDACTED]'],
  [
    'https:\\/\\/hooks.slack.com\\/services\\/T0\\/B0\\/x',
    'https:\\/\\/hooks.slack.com\\/services\\/[REDACTED]',
  ],
  ['https://discord.com/api/webhooks/123/aB3dE5gH', 'https://discord.com/api/webhooks/[REDACTED]'],
  ['https://a.webhook.office.com/webhookb2/x@y/z', 'https://a.webhook.office.com/webhookb2/[REDACTED]'],
  ['https://api.telegram.org/bot12:AAx/getMe', 'https://api.telegram.org/bot[REDACTED]'],
])('keeps the host of the webhook %s', (input, expected) => {
  expect(text(input)).toBe(expected);
});

test.each([
  'task-management-system-2024-final-version-2',
  'risk-assessment-2024-report-final-version',
  'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
  'request 3fa85f64-5717-4562-b3fc-2c963f66afa6 ok',
  'comparison eb447cb5b8c5e1384517105584afc64410830137:01a1e26e-dbcf-79d1-a9f3-e161b0cc9350',
  'npm_config_registry npm_package_version',
  `pk_live_${mixed}`,
  'hooks.slack.com is down',
  'ghp_short, sk-short, AKIA, xoxb-',
  'monkey-0123456789abcdef0123456789abcdef',
])('leaves %j alone', (input) => {
  expect(text(input)).toBe(input);
});
