/** Where the build put the program's other files. URLs of folders end with a slash. */
export interface BuiltUrls {
  readonly storeWorker: URL;
  readonly recordsWorker: URL;
  readonly documentWorker: URL;
  readonly requestWorker: URL;
  readonly reportWorker: URL;
  readonly migrations: URL;
  readonly docs: URL;
  readonly dashboard: URL;
}
