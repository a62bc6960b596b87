/** The fields that rows with a time, a size or a count share. The default is also the example in the form. */
export const time = (min: string, max: string, fallback: string) =>
  ({
    takes: 'number',
    placeholder: 'TIME',
    form: `a time from ${min} to ${max} such as ${fallback}, or a number of milliseconds`,
    default: fallback,
  }) as const;

export const size = (min: string, max: string, fallback: string) =>
  ({
    takes: 'number',
    placeholder: 'SIZE',
    form: `a size from ${min} to ${max} such as ${fallback}, or a number of bytes`,
    default: fallback,
  }) as const;

export const count = (min: number, max: number, fallback: number) =>
  ({
    takes: 'number',
    placeholder: 'COUNT',
    form: `a whole number from ${min} to ${max}`,
    default: fallback,
  }) as const;
