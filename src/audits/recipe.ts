/** Version of the rules, their weights and the formula; a change that affects scores needs a new recipe. */
export const RECIPE_VERSION = 'v2';
