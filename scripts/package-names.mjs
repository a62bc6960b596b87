// The names of the packages in packages/. They are private until this project owns a scope on npm: under a name that is
// not ours, whoever registers it could publish code to our users (docs/decisions/0121-the-action-has-no-owner-yet.md).

/** Such as `@owner`. @type {string | undefined} */
const SCOPE = undefined;

/** @param {string} folder @returns {{ name: string, private?: true }} what the package.json of the folder says */
export function namedAs(folder) {
  return SCOPE === undefined ? { name: `sonde-${folder}`, private: true } : { name: `${SCOPE}/${folder}` };
}
