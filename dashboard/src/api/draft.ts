/** Operations that the OpenAPI document does not describe yet, by hand. Each goes when the document has it. */
type Json<Data> = { headers: { [name: string]: unknown }; content: { 'application/json': Data } };
type Nothing = { headers: { [name: string]: unknown }; content?: never };
type NoParameters = { query?: never; header?: never; path?: never; cookie?: never };
type Returning<Response> = { parameters: NoParameters; requestBody?: never; responses: { 200: Response } };

export type DemoDraft =
  | { running: false }
  | {
      running: true;
      startedAt: string;
      compare: { left: string; right: string; leftLabel: string; rightLabel: string; paths: string[] };
      audit: { url: string };
      model: { route: string; url: string; body: unknown };
    };

export interface DraftPaths {
  '/api/demo': {
    parameters: NoParameters;
    get: Returning<Json<DemoDraft>>;
    post: Returning<Json<DemoDraft>>;
    delete: Returning<Nothing>;
  };
}
