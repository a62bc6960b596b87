declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  const SwaggerUI: (options: Readonly<Record<string, unknown>>) => unknown;
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it
  export default SwaggerUI;
}
