// Written by scripts/write-dashboard-types.mjs from the OpenAPI document. Do not edit.

export interface paths {
    "/api/audits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audits, newest first
         * @description Scope `audit:read`.
         */
        get: operations["listAudits"];
        put?: never;
        /**
         * Start an audit of a site
         * @description Scope `audit:write`. If an identical audit is queued or running, that one is returned with 200.
         */
        post: operations["createAudit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audits/{auditId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an audit
         * @description Scope `audit:read`.
         */
        get: operations["getAudit"];
        put?: never;
        post?: never;
        /**
         * Delete an audit that has ended
         * @description Scope `audit:write`. Its report, job and events are deleted too.
         */
        delete: operations["deleteAudit"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audits/{auditId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an audit
         * @description Scope `audit:write`. A queued audit ends at once; a running one when its worker is notified.
         */
        post: operations["cancelAudit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audits/{auditId}/diff/{other}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare the findings of two audits
         * @description Scope `audit:read`. `auditId` is the earlier audit, `other` the later one.
         */
        get: operations["diffAudits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audits/{auditId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or stream progress events
         * @description With `Accept: text/event-stream`, streams the events after `Last-Event-ID` until the work has ended, or returns 204 if it has ended without further events.
         */
        get: operations["getAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audits/{auditId}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the report of a finished audit
         * @description Scope `audit:read`. The format is chosen by `format`, otherwise by `Accept`.
         */
        get: operations["getAuditReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow changes of jobs, streams and responses
         * @description Server-sent events. `hello` gives the first id of a new connection, `change` identifies what changed, and `reset` means that changes were lost: fetch every list again. Jobs need the read scope of their kind, streams `stream:read`, responses `proxy:read`; others are left out. A response lasts for `server.sseMs` at most; resume with `Last-Event-ID`.
         */
        get: operations["followChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a comparison of two environments
         * @description Scope `compare:write`.
         */
        post: operations["createComparison"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/compare/{comparisonId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a comparison and its result
         * @description Scope `compare:read`.
         */
        get: operations["getComparison"];
        put?: never;
        post?: never;
        /**
         * Delete a comparison that has ended
         * @description Scope `compare:write`. Its probes, job and events are deleted too; findings accepted from it stay in the baseline.
         */
        delete: operations["deleteComparison"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/compare/{comparisonId}/again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start the same comparison again
         * @description Scope `compare:write`. Uses the URLs and options of the earlier comparison. Its request headers and credentials in URLs were erased when it ended; if it had any, this is refused and the error lists the fields.
         */
        post: operations["repeatComparison"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/compare/{comparisonId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a comparison
         * @description Scope `compare:write`. A comparison of a suite is canceled with its suite.
         */
        post: operations["cancelComparison"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/compare/{comparisonId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or stream progress events
         * @description With `Accept: text/event-stream`, streams the events after `Last-Event-ID` until the work has ended, or returns 204 if it has ended without further events.
         */
        get: operations["getComparisonEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/compare/{comparisonId}/probes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the envelopes of both sides with all samples
         * @description Scope `compare:read`.
         */
        get: operations["getComparisonProbes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/demo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the demo
         * @description Scope `admin` of the tenant `default`. On the embedded engine only.
         */
        get: operations["getDemo"];
        put?: never;
        /**
         * Start the demo
         * @description Scope `admin` of the tenant `default`. Its sites listen on loopback ports of their own, which are open to this tenant until the demo ends.
         */
        post: operations["startDemo"];
        /**
         * Stop the demo
         * @description Scope `admin` of the tenant `default`. Recorded data is kept.
         */
        delete: operations["stopDemo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process is alive
         * @description For liveness probes. Needs no credential and is never rate limited.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs, newest first
         * @description Lists the kinds of jobs that the credential may read.
         */
        get: operations["listJobs"];
        put?: never;
        /**
         * Queue a smoke test
         * @description Scope `audit:write`. Fetches one URL under the address policy.
         */
        post: operations["createJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a job */
        get: operations["getJob"];
        put?: never;
        post?: never;
        /**
         * Delete a job that has ended
         * @description Its events and its audit, if it has one, are deleted too. Comparisons and suites stay.
         */
        delete: operations["deleteJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{jobId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job
         * @description A queued job ends at once; a running one when its worker is notified.
         */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{jobId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or stream progress events
         * @description With `Accept: text/event-stream`, streams the events after `Last-Event-ID` until the work has ended, or returns 204 if it has ended without further events.
         */
        get: operations["getJobEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{jobId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a failed or canceled job
         * @description It is queued again and continues after its last recorded step.
         */
        post: operations["retryJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pairs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List compared pairs, most recent first
         * @description Scope `compare:read`.
         */
        get: operations["listPairs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pairs/{pairKey}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a pair with its comparisons and its baseline
         * @description Scope `compare:write`. Refused while a comparison of the pair is running.
         */
        delete: operations["deletePair"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pairs/{pairKey}/baseline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List accepted findings of a pair
         * @description Scope `compare:read`.
         */
        get: operations["getBaseline"];
        put?: never;
        /**
         * Accept findings into the baseline of a pair
         * @description Scope `compare:write`. Accepting a finding again replaces its entry.
         */
        post: operations["acceptFindings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pairs/{pairKey}/baseline/{entryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an entry from the baseline of a pair
         * @description Scope `compare:write`. The finding counts again in later comparisons.
         */
        delete: operations["removeBaselineEntry"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pairs/{pairKey}/comparisons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the comparisons of a pair, newest first
         * @description Scope `compare:read`.
         */
        get: operations["listComparisons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/probe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Probe a URL
         * @description Scope `compare:write`. Sends a GET under the address policy and follows up to 10 redirects within 10 s. Returns the envelope that comparisons use. A failing target is part of the envelope, not an error. A tenant may have as many probes in progress as its quota `probes` allows.
         */
        get: operations["probe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the server can take traffic
         * @description For readiness probes. 503 `NOT_READY` names the failed checks and, under `error.dependencies`, what each stops; 503 `SERVER_STOPPING` means it is draining. Needs no credential and is never rate limited.
         */
        get: operations["getReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the tenant and the scopes of the caller
         * @description Works with any credential.
         */
        get: operations["getSession"];
        put?: never;
        /**
         * Log in with a one-time code
         * @description Sets an HttpOnly, SameSite=Strict cookie. A code of the server works once, within an hour; one of `sonde login` once, within ten minutes.
         */
        post: operations["createSession"];
        /**
         * Log out
         * @description Ends the session of the cookie and deletes the cookie.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/streams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List streams and proxied responses, newest first
         * @description Scope `stream:read` lists streams, `proxy:read` proxied responses. A page examines a bounded number of rows: it can be short or empty and still have `next`.
         */
        get: operations["listStreams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/streams/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attempts of a proxied response
         * @description Scope `proxy:read`. A repeat of a request with an `Idempotency-Key` is a new attempt if the last one was refused. Of more than 100 attempts, the newest 100 are kept.
         */
        get: operations["listAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/streams/timing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the arrival times of stored records
         * @description Scope `stream:read` with `stream`, `proxy:read` with `response`; exactly one of them is needed.
         */
        get: operations["getStreamTiming"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/suites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suites, newest first
         * @description Scope `compare:read`.
         */
        get: operations["listSuites"];
        put?: never;
        /**
         * Start a comparison of two environments, path by path
         * @description Scope `compare:write`. The paths come from exactly one of `paths`, `sitemap`, `openapi` and `har`.
         */
        post: operations["createSuite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/suites/{suiteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a suite with one page of its paths
         * @description Scope `compare:read`.
         */
        get: operations["getSuite"];
        put?: never;
        post?: never;
        /**
         * Delete a suite that has ended, with the comparisons of its paths
         * @description Scope `compare:write`.
         */
        delete: operations["deleteSuite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/suites/{suiteId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a suite and the comparisons that it runs
         * @description Scope `compare:write`.
         */
        post: operations["cancelSuite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/suites/{suiteId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or stream progress events
         * @description With `Accept: text/event-stream`, streams the events after `Last-Event-ID` until the work has ended, or returns 204 if it has ended without further events.
         */
        get: operations["getSuiteEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the server
         * @description Scope `operator`. On Cloudflare there is no process to measure: queue, workers, responses, readers, egress, storage and points are absent. Elsewhere a figure is absent if it could not be read.
         */
        get: operations["getSystem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tenant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the tenant of the credential
         * @description Works with any credential of a tenant.
         */
        get: operations["getTenant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Scope `admin`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook for finished jobs
         * @description Scope `admin`. Deliveries follow Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`), happen at least once and are retried for about three days.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a webhook and its pending deliveries
         * @description Scope `admin`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptRequest: {
            comparisonId: string;
            /** Format: date */
            expires?: string;
            /** @description Ids of findings of the comparison, or `all` for those that count for its verdict. */
            findings: "all" | string[];
            reason?: string;
        };
        Audit: {
            /** Format: uuid */
            auditId: string;
            canonicalUrl: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
            /** Format: uuid */
            jobId: string;
            /** @description Why the last attempt failed, redacted. */
            lastError: string | null;
            options: components["schemas"]["AuditOptions"];
            /** @description Percent. It never decreases. */
            progress: number | null;
            /** @description Version of the rules and weights. */
            recipeVersion: string;
            score: number | null;
            /** @enum {string} */
            status: "queued" | "running" | "done" | "failed" | "canceled";
            url: string;
        };
        AuditDiff: {
            fixed: components["schemas"]["AuditDiffIssue"][];
            /** @description Rules with more findings than a report keeps. */
            incomplete: string[];
            new: components["schemas"]["AuditDiffIssue"][];
            /** @description Not checked by the later audit, so neither fixed nor present. */
            notSeen: components["schemas"]["AuditDiffIssue"][];
            scoreAfter: number | null;
            scoreBefore: number | null;
            stillThere: components["schemas"]["AuditDiffIssue"][];
        };
        AuditDiffIssue: components["schemas"]["AuditIssue"] & {
            rule: string;
        };
        AuditIssue: {
            /** @description Other places with the same finding. */
            also?: {
                line?: number;
                url: string;
            }[];
            /** @description The markup, header, file or directive that the finding is about. */
            element?: string;
            expected: string;
            /** @enum {string} */
            level: "warn" | "fail";
            line?: number;
            observed: string;
            /** @description Other URLs of the same finding. */
            related?: string[];
            url: string;
        };
        /** @description Options of the audit, with defaults. */
        AuditOptions: {
            checks?: number;
            concurrency?: number;
            delayMs?: number;
            depth?: number;
            /** @enum {string} */
            links?: "internal" | "all";
            pages?: number;
        } & {
            [key: string]: unknown;
        };
        AuditReport: {
            /** @description The score after fixing the costliest rules, and which. Absent from reports of older recipes. */
            afterFixes?: {
                rules: string[];
                score: number;
            } | null;
            categories: {
                /** @enum {string} */
                category: "crawl" | "index" | "content" | "links" | "a11y" | "schema" | "social" | "i18n" | "mobile" | "perf" | "security" | "ai";
                score: number | null;
                /** @description Absent from reports of older versions. */
                title?: string;
                weight: number;
            }[];
            /** @description Pages and checks, rules by result, and all findings. */
            counts: {
                broken: number;
                checks: number;
                failed: number;
                issues: number;
                notApplicable: number;
                notMeasured: number;
                pages: number;
                passed: number;
                warned: number;
            };
            crawl: {
                depthMax: number;
                /** @description Known URLs skipped because of the depth limit. */
                leftByDepth: number;
                /** @description Known URLs skipped because of the page limit. */
                leftByPages: number;
                /** @description Targets not checked because of the limit on checks. */
                leftUnchecked: number;
                pagesMax: number;
                userAgent: string;
            };
            domain: string;
            /** @description Faults that cap the score. */
            gates: {
                cap: 40 | 50;
                /** @enum {string} */
                id: "home-status" | "home-noindex" | "home-blocked" | "private-files" | "server-error" | "tls-failure";
                observed: string;
                url: string;
            }[];
            /** @enum {string|null} */
            grade: "A" | "B" | "C" | "D" | "F" | null;
            /** @description Findings removed from `rules` by ignore rules and a baseline. */
            hidden?: {
                accepted: number;
                /** @description Entries of the baseline that no longer occur. */
                gone: {
                    element?: string;
                    observed: string;
                    paths: string[];
                    rule: string;
                }[];
                ignored: number;
            };
            homeUrl: string;
            measuredAt: string;
            /** @description Every page in crawl order. The status is null without a response. */
            pages: {
                status: number | null;
                url: string;
            }[];
            /** @description How many pages could be read. Absent from reports of older versions. */
            reading?: {
                /** @description Not requested, because robots.txt disallows it. */
                blocked: number;
                /** @description No response, or another error. */
                failed: number;
                /** @description Why most of the site could not be read, and what to do. */
                note?: string;
                read: number;
                /** @description Responded with 401, 403, 407, 429 or 451. */
                refused: number;
            };
            /** @description Version of the rules and weights. */
            recipe: string;
            rules: components["schemas"]["AuditRuleResult"][];
            /** @enum {number} */
            schemaVersion: 1;
            /** @description Null if nothing of the site could be read. */
            score: number | null;
            startUrl: string;
            /** @description Why the audit ended early; the report covers what was done until then. */
            stopped?: string;
            /** @description The score before the gates. */
            ungated: number;
        };
        AuditRequest: {
            /** @description Additional links and assets to check. */
            checks?: number;
            /** @description Maximum concurrent requests per host. */
            concurrency?: number;
            /** @description Minimum delay between two requests to one host. */
            delayMs?: number;
            /** @description Maximum number of clicks from the home page. */
            depth?: number;
            /**
             * @description Check URLs of the site only, or all. Default all.
             * @enum {string}
             */
            links?: "internal" | "all";
            /** @description Maximum number of pages to fetch. */
            pages?: number;
            /** @description Reuse an identical audit finished within this many seconds. Default 0: never. */
            reuse?: number;
            url: string;
        };
        AuditRuleResult: {
            /** @enum {string} */
            category: "crawl" | "index" | "content" | "links" | "a11y" | "schema" | "social" | "i18n" | "mobile" | "perf" | "security" | "ai";
            fix: string;
            id: string;
            /** @description All findings, including those beyond the bound of `issues`. */
            issueCount: number;
            issues: components["schemas"]["AuditIssue"][];
            /** @description Page rules only: results of the applicable pages. */
            pages: {
                applicable: number;
                failed: number;
                passed: number;
                warned: number;
            } | null;
            /** @description 0 to 1; null if the rule is not scored. */
            passRatio: number | null;
            /** @description All places of all findings. */
            placeCount: number;
            /** @description Why it is not applicable, not measured or failed. */
            reason: string | null;
            /** @enum {string} */
            scope: "page" | "site";
            /** @enum {string} */
            severity: "error" | "warn" | "info";
            /** @enum {string} */
            status: "pass" | "warn" | "fail" | "not-applicable" | "not-measured" | "error" | "hidden";
            title: string;
            weight: number;
        };
        Audits: {
            audits: components["schemas"]["Audit"][];
            next: string | null;
        };
        Baseline: {
            entries: components["schemas"]["BaselineEntry"][];
        };
        BaselineEntry: {
            /** Format: date-time */
            acceptedAt: string;
            /** @enum {string} */
            code: "PROBE_FAILURE" | "STATUS_MISMATCH" | "FINAL_URL_MISMATCH" | "REDIRECT_CHAIN_CHANGED" | "AUTH_CHALLENGE_PRESENT" | "CORS_HEADER_DRIFT" | "CACHE_HEADER_DRIFT" | "CONTENT_TYPE_DRIFT" | "BODY_HASH_DRIFT" | "CONTENT_LENGTH_DRIFT" | "TIMING_DRIFT" | "CF_CONTEXT_DRIFT" | "UNKNOWN_DRIFT" | "PROBE_FLAKY" | "PROBE_BLOCKED" | "RUNNER_CONTEXT_DRIFT" | "REDIRECT_STATUS_DRIFT" | "REDIRECT_LOOP" | "HTTPS_ENFORCEMENT_DRIFT" | "CROSS_ENV_LEAK" | "INDEXABILITY_DRIFT" | "METHOD_SUPPORT_DRIFT" | "ROUTE_SET_DRIFT" | "AUTH_GATE_DRIFT" | "AUTH_SCHEME_DRIFT" | "SECURITY_HEADER_MISSING" | "SECURITY_HEADER_DRIFT" | "CSP_DRIFT" | "CSP_WEAKENED" | "HSTS_DRIFT" | "FRAME_POLICY_DRIFT" | "CROSS_ORIGIN_POLICY_DRIFT" | "PERMISSIONS_POLICY_DRIFT" | "COOKIE_SET_DRIFT" | "COOKIE_FLAGS_DRIFT" | "SRI_DRIFT" | "MIXED_CONTENT_DRIFT" | "INFO_EXPOSURE_DRIFT" | "SECURITY_GRADE_DRIFT" | "THIRD_PARTY_DRIFT" | "CORS_PREFLIGHT_DRIFT" | "CORS_REFLECTION" | "CORS_VARY_MISSING" | "CACHE_SCOPE_DRIFT" | "CACHE_TTL_DRIFT" | "CACHE_STATUS_DRIFT" | "VALIDATOR_DRIFT" | "VARY_DRIFT" | "CACHEABLE_COOKIE" | "CHARSET_DRIFT" | "CONTENT_ENCODING_DRIFT" | "CONTENT_LANGUAGE_DRIFT" | "JSON_SHAPE_DRIFT" | "JSON_VALUE_DRIFT" | "JSON_ORDER_DRIFT" | "JSON_ARRAY_EMPTIED" | "JSON_LIST_SHRUNK" | "TEXT_LOST" | "TEXT_DRIFT" | "HEADINGS_LOST" | "HTML_STRUCTURE_DRIFT" | "HTML_META_DRIFT" | "ASSET_SET_DRIFT" | "ASSET_BROKEN" | "BUILD_VERSION_DRIFT" | "ERROR_PAGE_DRIFT" | "TIMING_PHASE_DRIFT" | "TIMING_VARIANCE_DRIFT" | "PROTOCOL_DRIFT" | "EDGE_PATH_DRIFT" | "SERVER_STACK_DRIFT" | "RATE_LIMIT_DRIFT" | "DNS_DRIFT" | "TLS_CERT_INVALID" | "TLS_CERT_EXPIRY" | "TLS_CERT_DRIFT" | "TLS_SAN_DRIFT" | "TLS_PROTOCOL_DRIFT";
            /** @description The comparison that it was accepted from. */
            comparisonId: string;
            /** @description `valueFingerprint` of the finding. */
            entryId: string;
            /**
             * Format: date
             * @description The last day on which the entry counts.
             */
            expires?: string;
            message: string;
            path: string;
            reason?: string;
            /**
             * @description A worse finding counts again.
             * @enum {string}
             */
            severity: "info" | "warn" | "critical";
        };
        Caller: {
            /**
             * Format: date-time
             * @description When the session expires.
             */
            expiresAt?: string;
            /** @description `admin` includes every scope but `operator`. */
            scopes: ("stream:read" | "stream:write" | "proxy:create" | "proxy:read" | "proxy:admin" | "audit:read" | "audit:write" | "compare:read" | "compare:write" | "admin" | "operator")[];
            /** @description Null for an operator without a tenant. */
            tenant: string | null;
            /**
             * @description `none`: the server needs no credential.
             * @enum {string}
             */
            via: "session" | "jwt" | "service-token" | "none";
        };
        /** @description `data` of an event `change`. */
        Change: {
            /** Format: uuid */
            auditId: string | null;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            jobKind: "audit" | "compare" | "hello" | "suite";
            /** @enum {string} */
            kind: "job";
            /** @enum {string} */
            state: "queued" | "running" | "done" | "failed" | "canceled";
        } | {
            /** @description Path of the stream. */
            id: string;
            /** @enum {string} */
            kind: "stream";
            /** @enum {string} */
            state: "open" | "closed" | "deleted";
        } | {
            /** @description Id of the proxied response. */
            id: string;
            /** @enum {string} */
            kind: "response";
            /** @enum {string} */
            state: "open" | "closed" | "deleted";
        };
        CompareOptions: {
            /** @enum {string} */
            candidate?: "left" | "right";
            /** @description Fields of the request that were erased when the run ended: headers, and URLs with credentials. */
            erased?: string[];
            explain?: boolean;
            ignore?: string[];
            /** @enum {string} */
            profile?: "core" | "full";
            samples?: number;
        } & {
            [key: string]: string | number | string[];
        };
        CompareRequest: {
            /**
             * @description Which side is the candidate; left by default. Improvements on the candidate are never more than info.
             * @enum {string}
             */
            candidate?: "left" | "right";
            /** @description If only one side varies from request to request, more samples are taken, up to this number per side. */
            confirmSamples?: number;
            /** @description Explain the result. Default true. */
            explain?: boolean;
            /** @description Rules for findings to suppress. */
            ignore?: string[];
            /** @description Headers for the left side only. Encrypted while the comparison runs, then erased. */
            leftHeaders?: {
                [key: string]: string;
            };
            leftLabel?: string;
            /** @description The candidate: the environment that is about to ship, such as staging. */
            leftUrl: string;
            /** @enum {string} */
            profile?: "core" | "full";
            /** @description Headers for the right side only. */
            rightHeaders?: {
                [key: string]: string;
            };
            rightLabel?: string;
            /** @description The reference to compare it with, such as production. */
            rightUrl: string;
            /** @description Probes per side. What varies on both sides counts as noise. */
            samples?: number;
        };
        Comparison: {
            comparisonId: string;
            /** Format: date-time */
            createdAt: string;
            error?: components["schemas"]["Failure"];
            /** @enum {string} */
            explanationState: "pending" | "ready" | "failed" | "off";
            leftLabel?: string;
            leftUrl: string;
            options: components["schemas"]["CompareOptions"];
            pairKey: string;
            result?: components["schemas"]["ComparisonResult"];
            rightLabel?: string;
            rightUrl: string;
            /** @enum {string} */
            status: "running" | "completed" | "failed";
        };
        ComparisonProbe: {
            envelope: components["schemas"]["SignalEnvelope"];
            probeId: string;
            /** @description Resamples, starting at 2. */
            samples: {
                envelope: components["schemas"]["SignalEnvelope"];
                sample: number;
            }[];
            /** @enum {string} */
            side: "left" | "right";
            /** @description Milliseconds since the epoch. */
            ts: number;
            url: string;
        };
        ComparisonProbes: {
            probes: components["schemas"]["ComparisonProbe"][];
        };
        ComparisonResult: {
            comparisonId: string;
            diff: components["schemas"]["EnvDiff"];
            explanation: components["schemas"]["Explanation"] | null;
            left: components["schemas"]["SignalEnvelope"] | null;
            right: components["schemas"]["SignalEnvelope"] | null;
            /** @description When the result was computed, in milliseconds since the epoch. */
            timestamp: number;
        };
        Comparisons: {
            comparisons: components["schemas"]["ComparisonSummary"][];
        };
        ComparisonSummary: {
            comparisonId: string;
            /** Format: date-time */
            createdAt: string;
            error?: components["schemas"]["Failure"];
            /** @description Number of findings. */
            findings: number | null;
            /** @enum {string} */
            status: "running" | "completed" | "failed";
            /** @enum {string|null} */
            verdict: "pass" | "warn" | "fail" | "inconclusive" | null;
        };
        Demo: {
            /** @enum {boolean} */
            running: false;
        } | {
            audit: {
                url: string;
            };
            compare: {
                left: string;
                leftLabel: string;
                paths: string[];
                right: string;
                rightLabel: string;
            };
            model: {
                /** @description Request body to which the model responds with tokens. */
                body: {
                    [key: string]: unknown;
                };
                /** @description Path below the route. */
                path: string;
                /** @description A named route of the proxy that leads to the model. */
                route: string;
            };
            /** @enum {boolean} */
            running: true;
            /** Format: date-time */
            startedAt: string;
        };
        Dependency: {
            /** @description Why it has failed. */
            fault?: string;
            name: string;
            /** @enum {string} */
            state: "ok" | "failed";
            /** @description What does not work while it has failed; everything else does. */
            stops: string[];
        };
        EnvDiff: {
            /**
             * @description The side that is about to ship.
             * @enum {string}
             */
            candidate: "left" | "right";
            cf?: {
                asn?: {
                    changed: boolean;
                    left?: number;
                    right?: number;
                };
                asOrganization?: {
                    changed: boolean;
                    left?: string;
                    right?: string;
                };
                colo?: {
                    changed: boolean;
                    left?: string;
                    right?: string;
                };
                country?: {
                    changed: boolean;
                    left?: string;
                    right?: string;
                };
                httpProtocol?: {
                    changed: boolean;
                    left?: string;
                    right?: string;
                };
                /** @description The data centre that responded, from `cf-ray`. */
                rayColo?: {
                    changed: boolean;
                    left?: string;
                    right?: string;
                };
                tlsVersion?: {
                    changed: boolean;
                    left?: string;
                    right?: string;
                };
            };
            comparisonId: string;
            content?: {
                bodyHash?: {
                    changed: boolean;
                    left?: string;
                    right?: string;
                };
                contentLength?: {
                    changed: boolean;
                    left?: number;
                    right?: number;
                };
                contentType?: {
                    changed: boolean;
                    left?: string;
                    right?: string;
                };
            };
            /** @description Findings that count by severity, and the others by the reason they do not count. */
            counts: {
                critical: number;
                explained: number;
                info: number;
                known: number;
                noisy: number;
                resolved: number;
                suppressed: number;
                warn: number;
            };
            /** @description Which parts the verdict covers, and which it does not. */
            coverage: {
                compared: string[];
                notCompared: {
                    part: string;
                    reason: string;
                }[];
            };
            finalUrl?: {
                changed: boolean;
                left?: string;
                right?: string;
            };
            /** @description Worst first, causes before effects, then by code and id. */
            findings: components["schemas"]["Finding"][];
            /** @description Absent if no header differs. */
            headers?: {
                accessControl?: components["schemas"]["HeaderDiff"];
                core: components["schemas"]["HeaderDiff"];
                extended?: components["schemas"]["HeaderDiff"];
            };
            /** @description Names of the sides in messages. */
            labels: {
                left: string;
                right: string;
            };
            leftProbeId: string;
            /**
             * @description Only the findings that count.
             * @enum {string}
             */
            maxSeverity: "info" | "warn" | "critical" | "none";
            /** @description Remarks about the run, not about the environments. */
            notices: {
                /** @enum {string} */
                code: "NOISE_SUPPRESSED" | "BODY_TRUNCATED" | "SAMPLE_SHORTFALL" | "SAMPLES_ADDED" | "SUPPRESSION_EXPIRED" | "COVERAGE_GAP" | "EVIDENCE_TRUNCATED";
                keys: string[];
                message: string;
            }[];
            /** @description Pairs of origins that are treated as equal. */
            origins: {
                left: string;
                right: string;
            }[];
            probe: {
                leftErrorCode?: string;
                leftOk: boolean;
                outcomeChanged: boolean;
                /** @description Both sides sent an HTTP response. */
                responsePresent: boolean;
                rightErrorCode?: string;
                rightOk: boolean;
            };
            /** @description Absent if neither side redirected. */
            redirects?: {
                chainChanged: boolean;
                hopCount: {
                    changed: boolean;
                    left?: number;
                    right?: number;
                };
                left: {
                    fromUrl: string;
                    status: number;
                    toUrl: string;
                }[];
                right: {
                    fromUrl: string;
                    status: number;
                    toUrl: string;
                }[];
            };
            rightProbeId: string;
            /** @description Rules that failed; their findings are missing. */
            ruleErrors: {
                /** @enum {string} */
                code: "PROBE_FAILURE" | "STATUS_MISMATCH" | "FINAL_URL_MISMATCH" | "REDIRECT_CHAIN_CHANGED" | "AUTH_CHALLENGE_PRESENT" | "CORS_HEADER_DRIFT" | "CACHE_HEADER_DRIFT" | "CONTENT_TYPE_DRIFT" | "BODY_HASH_DRIFT" | "CONTENT_LENGTH_DRIFT" | "TIMING_DRIFT" | "CF_CONTEXT_DRIFT" | "UNKNOWN_DRIFT" | "PROBE_FLAKY" | "PROBE_BLOCKED" | "RUNNER_CONTEXT_DRIFT" | "REDIRECT_STATUS_DRIFT" | "REDIRECT_LOOP" | "HTTPS_ENFORCEMENT_DRIFT" | "CROSS_ENV_LEAK" | "INDEXABILITY_DRIFT" | "METHOD_SUPPORT_DRIFT" | "ROUTE_SET_DRIFT" | "AUTH_GATE_DRIFT" | "AUTH_SCHEME_DRIFT" | "SECURITY_HEADER_MISSING" | "SECURITY_HEADER_DRIFT" | "CSP_DRIFT" | "CSP_WEAKENED" | "HSTS_DRIFT" | "FRAME_POLICY_DRIFT" | "CROSS_ORIGIN_POLICY_DRIFT" | "PERMISSIONS_POLICY_DRIFT" | "COOKIE_SET_DRIFT" | "COOKIE_FLAGS_DRIFT" | "SRI_DRIFT" | "MIXED_CONTENT_DRIFT" | "INFO_EXPOSURE_DRIFT" | "SECURITY_GRADE_DRIFT" | "THIRD_PARTY_DRIFT" | "CORS_PREFLIGHT_DRIFT" | "CORS_REFLECTION" | "CORS_VARY_MISSING" | "CACHE_SCOPE_DRIFT" | "CACHE_TTL_DRIFT" | "CACHE_STATUS_DRIFT" | "VALIDATOR_DRIFT" | "VARY_DRIFT" | "CACHEABLE_COOKIE" | "CHARSET_DRIFT" | "CONTENT_ENCODING_DRIFT" | "CONTENT_LANGUAGE_DRIFT" | "JSON_SHAPE_DRIFT" | "JSON_VALUE_DRIFT" | "JSON_ORDER_DRIFT" | "JSON_ARRAY_EMPTIED" | "JSON_LIST_SHRUNK" | "TEXT_LOST" | "TEXT_DRIFT" | "HEADINGS_LOST" | "HTML_STRUCTURE_DRIFT" | "HTML_META_DRIFT" | "ASSET_SET_DRIFT" | "ASSET_BROKEN" | "BUILD_VERSION_DRIFT" | "ERROR_PAGE_DRIFT" | "TIMING_PHASE_DRIFT" | "TIMING_VARIANCE_DRIFT" | "PROTOCOL_DRIFT" | "EDGE_PATH_DRIFT" | "SERVER_STACK_DRIFT" | "RATE_LIMIT_DRIFT" | "DNS_DRIFT" | "TLS_CERT_INVALID" | "TLS_CERT_EXPIRY" | "TLS_CERT_DRIFT" | "TLS_SAN_DRIFT" | "TLS_PROTOCOL_DRIFT";
                message: string;
            }[];
            samples: {
                left: {
                    /** @description Envelopes with an HTTP response. */
                    answered: number;
                    /** @description Envelopes taken. */
                    total: number;
                };
                right: {
                    /** @description Envelopes with an HTTP response. */
                    answered: number;
                    /** @description Envelopes taken. */
                    total: number;
                };
            };
            /** @enum {number} */
            schemaVersion: 1;
            status?: {
                changed: boolean;
                left?: number;
                right?: number;
            };
            timing?: {
                deltaMs?: number;
                /** @description The median of each side's samples. */
                durationMs: {
                    changed: boolean;
                    left?: number;
                    right?: number;
                };
                /** @description Right / left. */
                ratio?: number;
                samples: {
                    left: number;
                    right: number;
                };
                /** @description Rank-sum interval of right - left, with five or more samples per side. */
                shift?: {
                    estimateMs: number;
                    highMs: number;
                    lowMs: number;
                };
            };
            /** @enum {string} */
            verdict: "pass" | "warn" | "fail" | "inconclusive";
            /** @description Short sentences, the most important first. */
            verdictReasons: string[];
        };
        /** @description Every error of this server. Further fields of `error` depend on the code. */
        Error: {
            error: {
                /**
                 * @description A code from `x-error-codes`. Its meaning never changes.
                 * @enum {string}
                 */
                code: "invalid_url" | "ssrf_blocked" | "dns_error" | "connect_error" | "tls_error" | "http2_only" | "timeout" | "redirect_loop" | "redirect_missing_location" | "redirect_invalid_location" | "redirect_limit" | "redirect_downgrade" | "redirect_body" | "response_too_large" | "header_too_large" | "decode_error" | "fetch_error" | "canceled" | "INVALID_REQUEST" | "MISSING_SECRET" | "INVALID_SECRET" | "INVALID_LOGIN_CODE" | "FORBIDDEN" | "ORIGIN_REFUSED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "BODY_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "UPGRADE_NOT_SUPPORTED" | "TRANSFER_CODING_UNSUPPORTED" | "RATE_LIMITED" | "HEADERS_TOO_LARGE" | "INTERNAL" | "NOT_READY" | "SERVER_STOPPING" | "SERVER_BUSY" | "OFFSET_INVALID" | "STREAM_NOT_FOUND" | "STREAM_CLOSED" | "STREAM_CONFLICT" | "CONTENT_TYPE_MISMATCH" | "SEQUENCE_CONFLICT" | "PRODUCER_FENCED" | "PRODUCER_GAP" | "STREAM_GONE" | "CLOCK_UNTRUSTED" | "STREAM_TOO_LARGE" | "TOO_MANY_READERS" | "WEBHOOK_URL_REJECTED" | "TOKEN_INVALID" | "SUBSCRIPTION_NOT_FOUND" | "SUBSCRIPTION_ALREADY_EXISTS" | "FENCED" | "ALREADY_CLAIMED" | "NO_PENDING_WORK" | "INVALID_OFFSET" | "SUBSCRIPTION_TOO_LARGE" | "TOO_MANY_SUBSCRIPTIONS" | "STREAM_CORRUPT" | "STORAGE_UNAVAILABLE" | "STORAGE_FULL" | "DATA_VERSION_UNKNOWN" | "STORAGE_CONFLICT" | "MISSING_UPSTREAM_URL" | "MISSING_UPSTREAM_METHOD" | "INVALID_UPSTREAM_METHOD" | "INVALID_ACTION" | "INVALID_IDEMPOTENCY_KEY" | "INVALID_ORPHAN_POLICY" | "HEADER_NOT_SUPPORTED" | "REDIRECT_NOT_ALLOWED" | "SIGNATURE_EXPIRED" | "SIGNATURE_INVALID" | "MISSING_SIGNATURE" | "UPSTREAM_NOT_ALLOWED" | "ROUTE_FORBIDDEN" | "READ_ONLY_URL" | "CREATE_IN_PROGRESS" | "CREATE_INDETERMINATE" | "UPSTREAM_ABORTED" | "IDEMPOTENCY_KEY_REUSED" | "TOO_MANY_STREAMS" | "UPSTREAM_ERROR" | "STORAGE_ERROR" | "UPSTREAM_TIMEOUT" | "UPSTREAM_BODY_TIMEOUT" | "JOB_NOT_FOUND" | "AUDIT_NOT_FOUND" | "AUDIT_NOT_FINISHED" | "JOB_CONFLICT" | "STILL_RUNNING" | "SECRETS_ERASED" | "JOB_TOO_LARGE" | "JOB_TIME_EXCEEDED" | "QUOTA_EXCEEDED" | "IDEMPOTENCY_KEY_IN_FLIGHT" | "WEBHOOK_NOT_FOUND" | "TENANT_NOT_FOUND" | "TENANT_EXISTS" | "LEASE_LOST" | "interrupted" | "ENVELOPE_INVALID" | "ENVELOPE_TOO_LARGE" | "too_many_running" | "model_error" | "invalid_explanation" | "HAR_INVALID" | "CONFIG_UNKNOWN_KEY" | "CONFIG_INVALID_VALUE" | "CONFIG_UNREADABLE" | "FILE_UNREADABLE" | "FILE_UNWRITABLE" | "SECRETS_UNUSABLE" | "USAGE" | "LISTEN_FAILED";
                /** @description What happened and what to do about it, for people. */
                message: string;
            } & {
                [key: string]: unknown;
            };
        };
        Evidence: {
            /**
             * @description An ignore rule covers this part.
             * @enum {boolean}
             */
            ignored?: true;
            /** @description Header names, JSON pointers or cookie names in the section. */
            keys: string[];
            /** @description Null means absent. */
            left: string | number | boolean | null | string[];
            /**
             * @description This part already differs between samples of one side.
             * @enum {boolean}
             */
            noisy?: true;
            note?: string;
            /** @description Null means absent. */
            right: string | number | boolean | null | string[];
            /** @enum {string} */
            section: "probe" | "status" | "finalUrl" | "redirects" | "headers" | "cookies" | "content" | "body" | "timing" | "cf" | "connection" | "tls" | "exchanges" | "request" | "routes";
        };
        Explanation: {
            actions: {
                action: string;
                why: string;
            }[];
            error?: components["schemas"]["Failure"];
            notes: string[];
            /** @description The most likely cause first. */
            ranked_causes: {
                cause: string;
                /** @description 0 to 1. */
                confidence: number;
                /** @description Ids of findings. */
                evidence: string[];
            }[];
            summary: string;
        };
        /** @description Why the model gave no explanation; the text is then computed. */
        Failure: {
            code: string;
            message: string;
        };
        Finding: {
            /** @enum {string} */
            category: "reliability" | "routing" | "auth" | "cors" | "cache" | "content" | "timing" | "platform" | "unknown" | "security" | "tls";
            /** @enum {string} */
            code: "PROBE_FAILURE" | "STATUS_MISMATCH" | "FINAL_URL_MISMATCH" | "REDIRECT_CHAIN_CHANGED" | "AUTH_CHALLENGE_PRESENT" | "CORS_HEADER_DRIFT" | "CACHE_HEADER_DRIFT" | "CONTENT_TYPE_DRIFT" | "BODY_HASH_DRIFT" | "CONTENT_LENGTH_DRIFT" | "TIMING_DRIFT" | "CF_CONTEXT_DRIFT" | "UNKNOWN_DRIFT" | "PROBE_FLAKY" | "PROBE_BLOCKED" | "RUNNER_CONTEXT_DRIFT" | "REDIRECT_STATUS_DRIFT" | "REDIRECT_LOOP" | "HTTPS_ENFORCEMENT_DRIFT" | "CROSS_ENV_LEAK" | "INDEXABILITY_DRIFT" | "METHOD_SUPPORT_DRIFT" | "ROUTE_SET_DRIFT" | "AUTH_GATE_DRIFT" | "AUTH_SCHEME_DRIFT" | "SECURITY_HEADER_MISSING" | "SECURITY_HEADER_DRIFT" | "CSP_DRIFT" | "CSP_WEAKENED" | "HSTS_DRIFT" | "FRAME_POLICY_DRIFT" | "CROSS_ORIGIN_POLICY_DRIFT" | "PERMISSIONS_POLICY_DRIFT" | "COOKIE_SET_DRIFT" | "COOKIE_FLAGS_DRIFT" | "SRI_DRIFT" | "MIXED_CONTENT_DRIFT" | "INFO_EXPOSURE_DRIFT" | "SECURITY_GRADE_DRIFT" | "THIRD_PARTY_DRIFT" | "CORS_PREFLIGHT_DRIFT" | "CORS_REFLECTION" | "CORS_VARY_MISSING" | "CACHE_SCOPE_DRIFT" | "CACHE_TTL_DRIFT" | "CACHE_STATUS_DRIFT" | "VALIDATOR_DRIFT" | "VARY_DRIFT" | "CACHEABLE_COOKIE" | "CHARSET_DRIFT" | "CONTENT_ENCODING_DRIFT" | "CONTENT_LANGUAGE_DRIFT" | "JSON_SHAPE_DRIFT" | "JSON_VALUE_DRIFT" | "JSON_ORDER_DRIFT" | "JSON_ARRAY_EMPTIED" | "JSON_LIST_SHRUNK" | "TEXT_LOST" | "TEXT_DRIFT" | "HEADINGS_LOST" | "HTML_STRUCTURE_DRIFT" | "HTML_META_DRIFT" | "ASSET_SET_DRIFT" | "ASSET_BROKEN" | "BUILD_VERSION_DRIFT" | "ERROR_PAGE_DRIFT" | "TIMING_PHASE_DRIFT" | "TIMING_VARIANCE_DRIFT" | "PROTOCOL_DRIFT" | "EDGE_PATH_DRIFT" | "SERVER_STACK_DRIFT" | "RATE_LIMIT_DRIFT" | "DNS_DRIFT" | "TLS_CERT_INVALID" | "TLS_CERT_EXPIRY" | "TLS_CERT_DRIFT" | "TLS_SAN_DRIFT" | "TLS_PROTOCOL_DRIFT";
            /** @enum {string} */
            direction: "left_only" | "right_only" | "changed" | "left_weaker" | "right_weaker";
            /**
             * @description What the difference means for the candidate.
             * @enum {string}
             */
            effect: "regression" | "improvement" | "change";
            evidence: components["schemas"]["Evidence"][];
            /** @description Lines of a word diff around the change. A part with a side is on that side only. */
            excerpt?: {
                /** @enum {string} */
                side?: "left" | "right";
                text: string;
            }[][];
            /** @description Id of the finding that this one follows from. It does not count. */
            explainedBy?: string;
            /** @description The same kind of difference on the same route has the same fingerprint in every run. */
            fingerprint: string;
            /** @description `CODE:section:keys`, unique within one result. */
            id: string;
            /** @description Null means absent. */
            left_value: string | number | boolean | null | string[];
            message: string;
            /** @description How many of the candidate's samples have an intermittent finding. */
            occurrence?: {
                of: number;
                samples: number;
            };
            recommendations: string[];
            /** @description Null means absent. */
            right_value: string | number | boolean | null | string[];
            ruleVersion: number;
            /** @enum {string} */
            severity: "info" | "warn" | "critical";
            /**
             * @description Whether repeated samples confirm it: `intermittent` if the reference is steady and only some samples of the candidate are worse, `noisy` if it varies otherwise, `unverified` with one sample per side.
             * @enum {string}
             */
            stability: "stable" | "intermittent" | "noisy" | "unverified";
            /** @enum {string} */
            status: "new" | "known" | "suppressed" | "resolved";
            /** @description Hash of the exact path and both values; baselines accept it. */
            valueFingerprint: string;
        };
        HeaderDiff: {
            /** @description Right side only. */
            added: {
                [key: string]: string;
            };
            changed: {
                [key: string]: {
                    left: string;
                    right: string;
                };
            };
            /** @description Left side only. */
            removed: {
                [key: string]: string;
            };
            unchanged: string[];
        };
        Health: {
            /** @enum {string} */
            status: "ok";
            version: string;
        };
        HelloRequest: {
            /** @enum {string} */
            kind: "hello";
            url: string;
        };
        Job: {
            /** @description Number of attempts so far. */
            attempt: number;
            /**
             * Format: uuid
             * @description Null unless the kind is `audit`.
             */
            auditId: string | null;
            cancelRequested: boolean;
            /** Format: date-time */
            finishedAt: string | null;
            /** Format: uuid */
            jobId: string;
            /** @enum {string} */
            kind: "audit" | "compare" | "hello" | "suite";
            /** @description Why the last attempt failed, redacted. */
            lastError: string | null;
            maxAttempts: number;
            /** @description Input of the job, redacted. */
            payload?: unknown;
            /** @description Within a tenant, lower numbers run first. */
            priority: number;
            /** @description Percent. It never decreases. */
            progress: number | null;
            /** Format: date-time */
            queuedAt: string;
            /**
             * Format: date-time
             * @description Earliest start.
             */
            runAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** @enum {string} */
            status: "queued" | "running" | "done" | "failed" | "canceled";
        };
        JobEvent: {
            /** Format: date-time */
            createdAt: string;
            data: {
                [key: string]: unknown;
            } | null;
            message: string | null;
            progress: number | null;
            /** @description Grows with each event; the `id` of the event in a stream. */
            seq: number;
            /** @enum {string} */
            type: "status_changed" | "step_started" | "step_done" | "warning" | "error" | "metric";
        };
        JobEvents: {
            /** @description No further events will follow. */
            ended: boolean;
            events: components["schemas"]["JobEvent"][];
            /** @description Send it as `after` to get the next page. */
            next: number;
        };
        Jobs: {
            jobs: components["schemas"]["Job"][];
            next: string | null;
        };
        JobWithResult: components["schemas"]["Job"] & {
            /** @description What the job returned, redacted. Null unless its status is `done`. */
            result?: unknown;
        };
        ListedResponse: {
            /** @description How many attempts there have been; this is the response of the last one. */
            attempts: number;
            /** @description Stored bytes. */
            bytes: number;
            contentType: string;
            /** Format: date-time */
            createdAt: string;
            /** @description True if stored bytes failed their checksum. */
            damaged?: boolean;
            /** @enum {string|null} */
            error: "UPSTREAM_BODY_TIMEOUT" | "UPSTREAM_RESET" | "UPSTREAM_TRUNCATED" | "RESPONSE_TOO_LARGE" | "STORAGE_ERROR" | "SERVER_STOPPED" | "PUMP_LOST" | "UPSTREAM_ERROR" | "UPSTREAM_TIMEOUT" | "REDIRECT_NOT_ALLOWED" | null;
            /**
             * Format: date-time
             * @description When it is deleted, unless it is used before then.
             */
            expiresAt: string | null;
            /** @description Milliseconds from sending the request to the head of the response. Null if not stored. */
            headMs: number | null;
            /** @description Path of a stream, or id of a response. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "response";
            /**
             * Format: date-time
             * @description Null without records, or if they were stored without arrival times.
             */
            lastAppendAt: string | null;
            method: string;
            /** @description The tail: an offset to follow new data from. */
            offset: string;
            /**
             * @description How the upstream ended. Null while it runs.
             * @enum {string|null}
             */
            outcome: "completed" | "aborted" | "timeout" | "failed" | null;
            /** @description The inline route; null for `/v1/proxy`. */
            route: string | null;
            /** @enum {string} */
            state: "open" | "closed";
            /** @description Null if there was no response head. */
            upstreamStatus: number | null;
            /** @description Redacted: values of the query are not stored. */
            upstreamUrl: string;
            /** @description Where it is read, relative to this server. */
            url: string;
        };
        ListedStream: {
            /** @description Stored bytes. */
            bytes: number;
            contentType: string;
            /** Format: date-time */
            createdAt: string;
            /** @description True if stored bytes failed their checksum. */
            damaged?: boolean;
            /**
             * Format: date-time
             * @description When it is deleted, unless it is used before then.
             */
            expiresAt: string | null;
            /** @description Path of a stream, or id of a response. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "stream";
            /**
             * Format: date-time
             * @description Null without records, or if they were stored without arrival times.
             */
            lastAppendAt: string | null;
            /** @description The tail: an offset to follow new data from. */
            offset: string;
            /** @enum {string} */
            state: "open" | "closed";
            /** @description Where it is read, relative to this server. */
            url: string;
        };
        LoginRequest: {
            /** @description The code in a login link of the server or of `sonde login`. */
            code: string;
        };
        NewComparison: {
            comparisonId: string;
        };
        NewSuite: {
            suiteId: string;
        };
        NewWebhook: components["schemas"]["Webhook"] & {
            /** @description Signing secret (`whsec_…`). It is shown only once. */
            secret: string;
        };
        Pair: {
            comparisons: number;
            /** Format: date-time */
            lastAt: string;
            lastComparisonId: string;
            /** @enum {string} */
            lastStatus: "running" | "completed" | "failed";
            leftUrl: string;
            pairKey: string;
            rightUrl: string;
        };
        Pairs: {
            next: string | null;
            pairs: components["schemas"]["Pair"][];
        };
        ProxyAttempt: {
            /** @description Bytes received of the body. */
            bytes: number;
            /** @enum {string|null} */
            error: "UPSTREAM_BODY_TIMEOUT" | "UPSTREAM_RESET" | "UPSTREAM_TRUNCATED" | "RESPONSE_TOO_LARGE" | "STORAGE_ERROR" | "SERVER_STOPPED" | "PUMP_LOST" | "UPSTREAM_ERROR" | "UPSTREAM_TIMEOUT" | "REDIRECT_NOT_ALLOWED" | null;
            /**
             * Format: date-time
             * @description When the response head arrived. Null if it did not.
             */
            headAt: string | null;
            method: string;
            /** @description 1 for the first attempt. */
            n: number;
            /**
             * @description Null while the attempt runs.
             * @enum {string|null}
             */
            outcome: "completed" | "aborted" | "timeout" | "failed" | null;
            /** @description The inline route; null for `/v1/proxy`. */
            route: string | null;
            /** Format: date-time */
            startedAt: string;
            status: number | null;
            /** @description The URL that was called, redacted: values of the query are not stored. */
            target: string;
        };
        ProxyAttemptList: {
            attempts: components["schemas"]["ProxyAttempt"][];
        };
        Ready: {
            /** @description The first of them by name. Only with the scope `operator`. */
            attention?: string[];
            /** @description How many items work but need attention, such as damaged streams. */
            attentionCount: number;
            /** @description A 503 lists them under `error.dependencies`. */
            dependencies: components["schemas"]["Dependency"][];
            /** @description Always empty here; a 503 lists names under `error.failed`. */
            failed: string[];
            /** @description Names of the checks that passed. */
            passed: string[];
            /** @enum {string} */
            status: "ready";
            version: string;
        };
        Session: {
            /**
             * Format: date-time
             * @description When the session expires.
             */
            expiresAt: string;
            scopes: ("stream:read" | "stream:write" | "proxy:create" | "proxy:read" | "proxy:admin" | "audit:read" | "audit:write" | "compare:read" | "compare:write" | "admin" | "operator")[];
            tenant: string;
        };
        SignalEnvelope: {
            address?: {
                family: 4 | 6;
                ip: string;
                port?: number;
            };
            body?: {
                /** @description Decoded bytes that were read. */
                bytes: number;
                /** @description The body ended early, timed out or could not be decoded. */
                error?: {
                    code: string;
                    message: string;
                };
                html?: {
                    alternates: {
                        href: string;
                        hreflang: string;
                    }[];
                    assets: {
                        crossorigin?: string;
                        integrity?: string;
                        /** @enum {string} */
                        kind: "script" | "style" | "image" | "frame" | "media" | "font" | "object" | "other";
                        /** @description Resolved against the page's base. */
                        url: string;
                    }[];
                    base?: string;
                    canonical?: string;
                    charset?: string;
                    description?: string;
                    elements: number;
                    forms: {
                        /** @description Resolved. Absent if the form posts to its own page. */
                        action?: string;
                        /** @description `type:name` of each field, in order. */
                        fields: string[];
                        hasPassword: boolean;
                        method: string;
                    }[];
                    generator?: string;
                    headings: {
                        level: number;
                        text: string;
                    }[];
                    httpEquiv: {
                        content: string;
                        name: string;
                    }[];
                    inlineScripts: number;
                    inlineStyles: number;
                    /** @description How often each landmark (`main`, `nav`, …) occurs. */
                    landmarks: {
                        [key: string]: number;
                    };
                    lang?: string;
                    /** @description Targets of `<a href>`: resolved, without query values, each once. */
                    links: string[];
                    /** @description Other named metas: name or property, and content. */
                    metas: {
                        content: string;
                        name: string;
                    }[];
                    /** @description Content of each `<meta name=robots>` and `googlebot`, in order. */
                    robots: string[];
                    /** @description Types of JSON-LD blocks. */
                    structuredData: string[];
                    textChars: number;
                    title?: string;
                    truncated: boolean;
                    viewport?: string;
                };
                /** @description With kind `json`. Absent if it does not parse. */
                json?: {
                    /** @description In document order, depth first, starting with the root (pointer ""). */
                    entries: {
                        /** @description Elements of an array, keys of an object or characters of a string. */
                        length?: number;
                        /** @description A JSON Pointer (RFC 6901). */
                        pointer: string;
                        /** @enum {string} */
                        type: "object" | "array" | "string" | "number" | "boolean" | "null";
                        /** @description Scalars only: JSON text, redacted. A truncated string ends in `…`. */
                        value?: string;
                    }[];
                    /** @description The entries, the depth or a long array were truncated. */
                    truncated: boolean;
                };
                /** @enum {string} */
                kind: "json" | "html" | "text" | "binary" | "empty";
                markers?: {
                    /** @description Which pattern, such as `nginx`. */
                    name: string;
                    /** @enum {string} */
                    type: "challenge" | "login" | "stack-trace" | "debug-page" | "framework-error" | "directory-listing" | "source-map" | "not-found-text" | "maintenance" | "default-page";
                }[];
                /** @description Characters of that text. */
                normalizedChars?: number;
                /** @description Hash of the text, with the side's own origin and volatile parts (UUIDs, times, nonces) replaced. Absent for binary bodies. */
                normalizedSha256?: string;
                /** @description Origins that occur in the text, with their counts; sorted. */
                origins?: {
                    count: number;
                    origin: string;
                }[];
                /** @description Hash of the decoded bytes. Absent if the body was truncated or incomplete. */
                sha256?: string;
                /** @description Kinds `html` and `text`. */
                text?: {
                    /** @description Paragraphs, headings, list items and cells, or lines of a text, in document order. */
                    blocks: string[];
                    /** @description The list was truncated at the limit. */
                    cut: boolean;
                };
                truncated: boolean;
                /** @description Bytes on the socket, if the runner can count them. */
                wireBytes?: number;
            };
            /**
             * Format: date-time
             * @description Start of the probe.
             */
            capturedAt: string;
            certificate?: {
                /** @description In X.509 notation: `DNS:a.example`, `IP Address:10.0.0.1`. */
                altNames: string[];
                issuer: string;
                keyBits?: number;
                /** @description Known from the TLS exchange only, like the next two fields. */
                keyType?: string;
                serialNumber?: string;
                sha256?: string;
                spkiSha256?: string;
                subject: string;
                validFrom: string;
                validTo: string;
            };
            /** @description Location of the runner, as its platform reports it. */
            cf?: {
                asn?: number;
                asOrganization?: string;
                colo?: string;
                country?: string;
                httpProtocol?: string;
                tlsVersion?: string;
            };
            /** @description `unknown` until the caller assigns one. */
            comparisonId: string;
            /** @description Set-Cookie lines in order: names and flags, never values. */
            cookies?: {
                /** @description The line deletes the cookie: no value, or no lifetime left. */
                deletes?: boolean;
                domain?: string;
                httpOnly: boolean;
                /** @description From Max-Age, or from Expires relative to `capturedAt`, rounded to minutes. */
                lifetimeSeconds?: number;
                name: string;
                partitioned?: boolean;
                path?: string;
                /** @description In lower case: `strict`, `lax`, `none`, or any other value that was sent. */
                sameSite?: string;
                secure: boolean;
            }[];
            coverage?: {
                /** @description Why a section was not observed, if known. */
                gaps?: {
                    /** @enum {string} */
                    address?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    body?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    "body.content"?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    certificate?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    cf?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    challenge?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    cookies?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    "exchanges.conditional"?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    "exchanges.dns"?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    "exchanges.head"?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    "exchanges.httpVariant"?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    "exchanges.options"?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    "exchanges.origins"?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    "exchanges.preflight"?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    "exchanges.robots"?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    "exchanges.tls"?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    "headers.core"?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    "headers.extended"?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    "headers.names"?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    outcome?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    phases?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    protocol?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    redirects?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    resources?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    status?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                    /** @enum {string} */
                    timing?: "profile" | "platform" | "sanitized" | "budget" | "failed" | "not-applicable";
                };
                /** @description Sections that were observed: a value missing from them was absent. */
                observed: ("outcome" | "status" | "redirects" | "headers.core" | "headers.extended" | "headers.names" | "cookies" | "challenge" | "timing" | "phases" | "protocol" | "address" | "certificate" | "body" | "body.content" | "exchanges.preflight" | "exchanges.origins" | "exchanges.head" | "exchanges.options" | "exchanges.conditional" | "exchanges.httpVariant" | "exchanges.robots" | "exchanges.dns" | "exchanges.tls" | "resources" | "cf")[];
            };
            /** @description Once per side, with its first sample, in profile `full`. */
            exchanges?: {
                /** @description Absent if the first response had no validator. */
                conditional?: {
                    error?: {
                        code: string;
                        message: string;
                    };
                    /** @description Response headers of the core, extended and `access-control-*` lists. */
                    headers?: {
                        [key: string]: string[];
                    };
                    /** @description Absent if there was no response. */
                    status?: number;
                    /** @enum {string} */
                    validator: "etag" | "last-modified";
                };
                /** @description Sorted by code unit. An empty list means that the name has no such record. */
                dns?: {
                    a?: string[];
                    aaaa?: string[];
                    caa?: string[];
                    cname?: string[];
                    error?: {
                        code: string;
                        message: string;
                    };
                };
                /** @description Duration of all exchanges together. */
                durationMs: number;
                head?: {
                    error?: {
                        code: string;
                        message: string;
                    };
                    /** @description Response headers of the core, extended and `access-control-*` lists. */
                    headers?: {
                        [key: string]: string[];
                    };
                    /** @description Absent if there was no response. */
                    status?: number;
                };
                /** @description The same URL over http. Absent if the side itself uses http. */
                httpVariant?: {
                    error?: {
                        code: string;
                        message: string;
                    };
                    /** @description Response headers of the core, extended and `access-control-*` lists. */
                    headers?: {
                        [key: string]: string[];
                    };
                    /** @description Absent if there was no response. */
                    status?: number;
                    url: string;
                };
                options?: {
                    error?: {
                        code: string;
                        message: string;
                    };
                    /** @description Response headers of the core, extended and `access-control-*` lists. */
                    headers?: {
                        [key: string]: string[];
                    };
                    /** @description Absent if there was no response. */
                    status?: number;
                };
                /** @description Two GET requests with an Origin: the side's own, and one that no site allows. */
                origins?: {
                    error?: {
                        code: string;
                        message: string;
                    };
                    /** @description Response headers of the core, extended and `access-control-*` lists. */
                    headers?: {
                        [key: string]: string[];
                    };
                    origin: string;
                    /** @enum {string} */
                    relation: "own" | "foreign";
                    /** @description Absent if there was no response. */
                    status?: number;
                }[];
                preflight?: {
                    error?: {
                        code: string;
                        message: string;
                    };
                    /** @description Response headers of the core, extended and `access-control-*` lists. */
                    headers?: {
                        [key: string]: string[];
                    };
                    method: string;
                    origin: string;
                    requestHeaders: string;
                    /** @description Absent if there was no response. */
                    status?: number;
                };
                /** @description Requests that were sent. */
                requests: number;
                robots?: {
                    error?: {
                        code: string;
                        message: string;
                    };
                    /** @description Response headers of the core, extended and `access-control-*` lists. */
                    headers?: {
                        [key: string]: string[];
                    };
                    robots?: {
                        groups: {
                            /** @description In lower case, in order. */
                            agents: string[];
                            allow: string[];
                            disallow: string[];
                        }[];
                        sitemaps: string[];
                        truncated: boolean;
                    };
                    /** @description Absent if there was no response. */
                    status?: number;
                };
                /** @description A handshake that offers h2 and http/1.1, accepts any certificate and sends no request. */
                tls?: {
                    alpn?: string;
                    /** @description Why it does not verify, such as `CERT_HAS_EXPIRED`. */
                    authorizationError?: string;
                    /** @description False if the certificate does not verify. */
                    authorized?: boolean;
                    certificate?: {
                        /** @description In X.509 notation: `DNS:a.example`, `IP Address:10.0.0.1`. */
                        altNames: string[];
                        issuer: string;
                        keyBits?: number;
                        /** @description Known from the TLS exchange only, like the next two fields. */
                        keyType?: string;
                        serialNumber?: string;
                        sha256?: string;
                        spkiSha256?: string;
                        subject: string;
                        validFrom: string;
                        validTo: string;
                    };
                    chain?: {
                        issuer: string;
                        subject: string;
                    }[];
                    cipher?: string;
                    error?: {
                        code: string;
                        message: string;
                    };
                    version?: string;
                };
            };
            /** @description One entry per request that got a response head. */
            hops?: {
                address?: {
                    family: 4 | 6;
                    ip: string;
                    port?: number;
                };
                certificate?: {
                    /** @description In X.509 notation: `DNS:a.example`, `IP Address:10.0.0.1`. */
                    altNames: string[];
                    issuer: string;
                    keyBits?: number;
                    /** @description Known from the TLS exchange only, like the next two fields. */
                    keyType?: string;
                    serialNumber?: string;
                    sha256?: string;
                    spkiSha256?: string;
                    subject: string;
                    validFrom: string;
                    validTo: string;
                };
                /** @description Milliseconds. A phase that did not happen (reused socket, literal address) is absent. */
                phases?: {
                    connect?: number;
                    dns?: number;
                    download?: number;
                    tls?: number;
                    ttfb?: number;
                };
                protocol?: string;
                status: number;
                tlsVersion?: string;
                url: string;
            }[];
            /** @description Milliseconds. A phase that did not happen (reused socket, literal address) is absent. */
            phases?: {
                connect?: number;
                dns?: number;
                download?: number;
                tls?: number;
                ttfb?: number;
            };
            /** @description `{comparisonId}:{side}`, the same for every sample of that side. */
            probeId: string;
            /** @description Of the last hop, in ALPN notation: `http/1.1`, `h2`, `h3`. */
            protocol?: string;
            request?: {
                accept?: string;
                acceptEncoding?: string;
                acceptLanguage?: string;
                hadAuthorization?: boolean;
                hadCookies?: boolean;
                /** @description Names of all request headers, sorted. */
                headerNames: string[];
                method: string;
                /** @enum {string} */
                profile?: "core" | "full";
                /** @description Names of the headers given for this side. */
                sideHeaderNames?: string[];
                userAgent?: string;
            };
            requestedUrl: string;
            /** @description What else the page loads: from a HAR recording, or checked with HEAD requests. */
            resources?: {
                contentType?: string;
                error?: string;
                /** @enum {string} */
                kind: "document" | "script" | "style" | "image" | "font" | "media" | "fetch" | "other";
                method: string;
                /** @description Absent if the request was blocked or failed. */
                status?: number;
                url: string;
            }[];
            /** @description Has either `response` or `error`. `ok` is true below status 400. */
            result: {
                /** @description From the first request to the last response head, over all hops. */
                durationMs: number;
                /** @enum {boolean} */
                ok: true;
                redirects?: {
                    fromUrl: string;
                    status: number;
                    toUrl: string;
                }[];
                response: {
                    /** @description SHA-256 of the whole decoded body. Absent if it was truncated or not read. */
                    bodyHash?: string;
                    /** @description The Content-Length field: bytes on the wire, before decoding. */
                    contentLength?: number;
                    finalUrl: string;
                    headers: {
                        /** @description All `access-control-*` headers. */
                        accessControl?: {
                            [key: string]: string;
                        };
                        /** @description Repeated lines are joined by a comma and a space (RFC 9110, section 5.3). */
                        core: {
                            "cache-control"?: string;
                            "content-type"?: string;
                            location?: string;
                            vary?: string;
                            "www-authenticate"?: string;
                        };
                        /** @description Other listed headers, each with its lines in order. */
                        extended?: {
                            [key: string]: string[];
                        };
                        /** @description Names, without values, of all other headers; sorted. */
                        otherNames?: string[];
                    };
                    status: number;
                };
            } | {
                /** @description From the first request to the last response head, over all hops. */
                durationMs: number;
                /** @enum {boolean} */
                ok: false;
                redirects?: {
                    fromUrl: string;
                    status: number;
                    toUrl: string;
                }[];
                response: {
                    /** @description SHA-256 of the whole decoded body. Absent if it was truncated or not read. */
                    bodyHash?: string;
                    /** @description The Content-Length field: bytes on the wire, before decoding. */
                    contentLength?: number;
                    finalUrl: string;
                    headers: {
                        /** @description All `access-control-*` headers. */
                        accessControl?: {
                            [key: string]: string;
                        };
                        /** @description Repeated lines are joined by a comma and a space (RFC 9110, section 5.3). */
                        core: {
                            "cache-control"?: string;
                            "content-type"?: string;
                            location?: string;
                            vary?: string;
                            "www-authenticate"?: string;
                        };
                        /** @description Other listed headers, each with its lines in order. */
                        extended?: {
                            [key: string]: string[];
                        };
                        /** @description Names, without values, of all other headers; sorted. */
                        otherNames?: string[];
                    };
                    status: number;
                };
            } | {
                /** @description From the first request to the last response head, over all hops. */
                durationMs?: number;
                error: {
                    /** @enum {string} */
                    code: "invalid_url" | "dns_error" | "timeout" | "tls_error" | "ssrf_blocked" | "fetch_error" | "unknown_error" | "connect_error" | "redirect_loop" | "redirect_missing_location" | "redirect_invalid_location" | "redirect_limit" | "redirect_downgrade" | "redirect_body" | "response_too_large" | "header_too_large" | "decode_error" | "canceled";
                    details?: {
                        /** @description Number of the hop that failed, from 0. */
                        hop?: number;
                        /** @description `dns`, `connect`, `tls`, `head`, `body` or `decode`. */
                        phase?: string;
                        /** @description The platform's own code, such as `ENOTFOUND`. */
                        reason?: string;
                        /** @description The rule of the address policy that blocked the request. */
                        rule?: string;
                        /** @description The step of the address policy that blocked the request. */
                        step?: string;
                        /** @description URL of the hop that failed. */
                        url?: string;
                    };
                    message: string;
                };
                /** @enum {boolean} */
                ok: false;
                /** @description The hops before the failure. The last may be one that was refused or exceeded the limit. */
                redirects?: {
                    fromUrl: string;
                    status: number;
                    toUrl: string;
                }[];
            };
            /** @description 1 for the first probe of a side, 2… for resamples. */
            sample?: number;
            /** @enum {number} */
            schemaVersion: 1;
            /** @enum {string} */
            side: "left" | "right";
            source?: {
                /**
                 * @description How certain it is that the checked address was dialled.
                 * @enum {string}
                 */
                assurance?: "pinned" | "checked";
                /** @enum {string} */
                cacheState?: "network" | "cache" | "revalidated";
                /** @enum {string} */
                kind: "active" | "har";
                region?: string;
                /** @description `node`, `workers`, or the HAR recorder's name and version. */
                runner?: string;
                /** @description HAR: the recorder removed cookies and credentials. */
                sanitized?: boolean;
                version?: string;
            };
        };
        /** @description With `site`: either proof allows audits of the site to check for leaks and to use other user agents. */
        SiteVerification: {
            /** @description The site whose ownership the token proves. */
            domain: string;
            /** @description Publish this file. A redirect does not count. */
            file: {
                content: string;
                url: string;
            };
            /** @description Or publish this TXT record. */
            record: {
                name: string;
                value: string;
            };
            token: string;
        };
        StreamList: {
            next: string | null;
            streams: components["schemas"]["StreamListItem"][];
        };
        StreamListItem: components["schemas"]["ListedStream"] | components["schemas"]["ListedResponse"];
        StreamTiming: {
            /** @description Bytes of the stream before the first record of this page. */
            bytesBefore: number;
            /** Format: date-time */
            createdAt: string;
            /** @description Send it as `from` to get the next page. Null at the tail. */
            next: string | null;
            /** @description Offset, stored bytes, and milliseconds after `createdAt`; null if the arrival was not stored. */
            records: [
                string,
                number,
                number | null
            ][];
        };
        Subscription: {
            created_at: string;
            description?: string;
            id: string;
            lease_ttl_ms: number;
            /** @description Present while streams that matched at creation are still being linked in the background. */
            linking?: {
                linked: number;
                total: number;
            };
            pattern?: string;
            /** @description Failed attempts of this wake, and when the webhook is called again, within 15 minutes. */
            retry?: {
                attempts: number;
                next_at: string;
            };
            /**
             * @description `failed` while the last delivery failed; it is retried.
             * @enum {string}
             */
            status: "active" | "failed";
            streams: {
                acked_offset: string;
                /** @enum {string} */
                link_type: "explicit" | "glob";
                path: string;
            }[];
            subscription_id: string;
            /** @enum {string} */
            type: "webhook" | "pull-wake";
            wake_stream?: string;
            webhook?: {
                signing: {
                    /** @enum {string} */
                    alg: "ed25519";
                    jwks_url: string;
                    kid: string;
                };
                /** @description Credentials are hidden. Null if the key that encrypted it is lost. */
                url: string | null;
            };
        };
        SubscriptionRequest: {
            description?: string;
            /** @description 1,000 to 600,000. Default 30,000. */
            lease_ttl_ms?: number;
            /** @description Streams to follow: `*` for one segment, `**` for any number. */
            pattern?: string;
            /** @description Paths of streams to follow. Give `pattern`, `streams` or both. */
            streams?: string[];
            /** @enum {string} */
            type: "webhook" | "pull-wake";
            /** @description The stream that announces wakes. Required with the type `pull-wake`. */
            wake_stream?: string;
            /** @description The receiver. Required with the type `webhook`. */
            webhook?: {
                url: string;
            };
        };
        Suite: {
            /** Format: date-time */
            createdAt: string;
            done: number;
            error?: components["schemas"]["Failure"];
            /** @description Findings about the suite itself, such as differing route sets. */
            findings: components["schemas"]["Finding"][];
            leftUrl: string;
            notes: string[];
            options: components["schemas"]["CompareOptions"];
            paths: number;
            rightUrl: string;
            /** @enum {string} */
            status: "running" | "completed" | "failed";
            suiteId: string;
            /**
             * @description The worst verdict of its paths and its own findings; null until it has completed.
             * @enum {string|null}
             */
            verdict: "pass" | "warn" | "fail" | "inconclusive" | null;
            verdicts: {
                fail?: number;
                failed?: number;
                inconclusive?: number;
                pass?: number;
                warn?: number;
            };
        };
        SuitePath: {
            comparisonId: string;
            findings: number | null;
            n: number;
            path: string;
            /** @enum {string|null} */
            verdict: "pass" | "warn" | "fail" | "inconclusive" | "failed" | null;
        };
        SuiteRequest: {
            /**
             * @description Which side is the candidate; left by default. Improvements on the candidate are never more than info.
             * @enum {string}
             */
            candidate?: "left" | "right";
            /** @description Paths compared at once. */
            concurrency?: number;
            /** @description If only one side varies from request to request, more samples are taken, up to this number per side. */
            confirmSamples?: number;
            /** @description Explain each result. Default false. */
            explain?: boolean;
            /** @description A HAR recording, or one per side. Only its paths are used. */
            har?: {
                left: {
                    [key: string]: unknown;
                };
                right: {
                    [key: string]: unknown;
                };
            } | {
                [key: string]: unknown;
            };
            /** @description Rules for findings to suppress. */
            ignore?: string[];
            /** @description Headers for the left side only. Encrypted while the comparison runs, then erased. */
            leftHeaders?: {
                [key: string]: string;
            };
            leftLabel?: string;
            /** @description The candidate: the environment that is about to ship, such as staging. */
            leftUrl: string;
            /** @description An OpenAPI document, or one per side. References to other documents are refused. */
            openapi?: {
                left: {
                    [key: string]: unknown;
                };
                right: {
                    [key: string]: unknown;
                };
            } | {
                [key: string]: unknown;
            };
            /** @description Paths to compare, each below both sides. */
            paths?: string[];
            /** @description Concurrent probes per host. */
            perHost?: number;
            /** @enum {string} */
            profile?: "core" | "full";
            /** @description Headers for the right side only. */
            rightHeaders?: {
                [key: string]: string;
            };
            rightLabel?: string;
            /** @description The reference to compare it with, such as production. */
            rightUrl: string;
            /** @description Probes per side. What varies on both sides counts as noise. */
            samples?: number;
            /** @description A path on both sides, or a URL. The paths that both sitemaps list are compared. */
            sitemap?: string;
        };
        Suites: {
            suites: components["schemas"]["Suite"][];
        };
        SuiteWithPaths: components["schemas"]["Suite"] & {
            rows: components["schemas"]["SuitePath"][];
        };
        System: {
            /** @description What works but needs attention. */
            attention: string[];
            /** @description Refusals since the server started, most frequent rule first. */
            egress?: {
                refusals: {
                    count: number;
                    rule: string;
                }[];
            };
            /** @enum {string} */
            engine: "embedded" | "cluster" | "edge";
            health: {
                checks: {
                    fault?: string;
                    name: string;
                    ok: boolean;
                }[];
                ready: boolean;
            };
            /** Format: date-time */
            now: string;
            /** @description The last hour, oldest first. */
            points?: components["schemas"]["SystemPoint"][];
            /** @description Jobs of all tenants. */
            queue?: {
                oldestQueuedMs: number | null;
                queued: number;
                running: number;
            };
            readers?: {
                live: number;
            };
            responses?: {
                running: number;
            };
            runtime: string;
            /** Format: date-time */
            startedAt?: string;
            /** @description Disk that holds the data folder. */
            storage?: {
                freeBytes: number;
                totalBytes: number;
            };
            version: string;
            /** @description Workers that hold leases. */
            workers?: components["schemas"]["SystemWorker"][];
        };
        /** @description Counts of the minute, and values at its end. Values are absent if they could not be read. */
        SystemPoint: {
            /**
             * Format: date-time
             * @description End of the minute.
             */
            at: string;
            /** @description Responses with a status of 500 or more. */
            errors: number;
            oldestQueuedMs?: number;
            queued?: number;
            /** @description Requests refused by the egress policy. */
            refusals: number;
            requests: number;
            responses?: number;
            running?: number;
        };
        SystemWorker: {
            jobs: number;
            /** Format: date-time */
            leaseUntil: string;
            /** Format: date-time */
            oldestStartedAt: string;
            workerId: string;
        };
        Tenant: {
            /** Format: date-time */
            createdAt: string;
            name: string;
            quotas: {
                jobsQueued: number;
                jobsRunning: number;
                liveReaders: number;
                openStreams: number;
                probes: number;
                proxyStreams: number;
                storedBytes: number;
                subscriptionEntries: number;
                subscriptions: number;
                webhooks: number;
            };
            /** @description Scopes of the credential. */
            scopes: ("stream:read" | "stream:write" | "proxy:create" | "proxy:read" | "proxy:admin" | "audit:read" | "audit:write" | "compare:read" | "compare:write" | "admin" | "operator")[];
            slug: string;
            usage: {
                jobsQueued: number;
                jobsRunning: number;
                webhooks: number;
            };
            verification?: components["schemas"]["SiteVerification"];
        };
        /** @description The upstream's own body. */
        UpstreamBody: unknown;
        Wake: {
            generation: number;
            lease_ttl_ms: number;
            streams: {
                acked_offset: string;
                has_pending: boolean;
                /** @enum {string} */
                link_type: "explicit" | "glob";
                path: string;
                tail_offset: string;
            }[];
            /** @description The credential of `ack` and `release`. */
            token: string;
            wake_id: string;
        };
        WakeAcked: {
            next_wake: boolean;
            /** @enum {boolean} */
            ok: true;
        };
        WakeAcks: components["schemas"]["WakeName"] & {
            acks?: {
                offset: string;
                stream: string;
            }[];
            /** @description Ends the wake. Otherwise its lease is renewed. */
            done?: boolean;
        };
        WakeName: {
            generation: number;
            wake_id: string;
        };
        Webhook: {
            /** Format: date-time */
            createdAt: string;
            events: ("audit.done" | "audit.failed" | "audit.canceled" | "compare.done" | "compare.failed" | "compare.canceled" | "hello.done" | "hello.failed" | "hello.canceled" | "suite.done" | "suite.failed" | "suite.canceled")[];
            /** Format: date-time */
            lastAt: string | null;
            /** @description Status or error code of the last delivery attempt. */
            lastStatus: string | null;
            url: string;
            /** Format: uuid */
            webhookId: string;
        };
        WebhookRequest: {
            /** @description Events to deliver. All by default. */
            events?: ("audit.done" | "audit.failed" | "audit.canceled" | "compare.done" | "compare.failed" | "compare.canceled" | "hello.done" | "hello.failed" | "hello.canceled" | "suite.done" | "suite.failed" | "suite.canceled")[];
            url: string;
        };
        Webhooks: {
            webhooks: components["schemas"]["Webhook"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAudits: {
        parameters: {
            query?: {
                /** @description Only audits of this site. */
                canonicalUrl?: string;
                /** @description `next` of the previous page. */
                cursor?: string;
                limit?: number;
                /** @description Text in the URL. */
                q?: string;
                status?: "queued" | "running" | "done" | "failed" | "canceled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of audits. With `q`, it can be short or empty and still have `next`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audits"];
                };
            };
        };
    };
    createAudit: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, repeated requests with the same key get the first response and create nothing. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuditRequest"];
            };
        };
        responses: {
            /** @description An identical audit that already exists. */
            200: {
                headers: {
                    /** @description `true` if nothing was created: this is the response to an earlier request. */
                    "Idempotent-Replayed"?: string;
                    /** @description Absolute URL of the resource. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audit"];
                };
            };
            /** @description Queued. */
            202: {
                headers: {
                    /** @description `true` if nothing was created: this is the response to an earlier request. */
                    "Idempotent-Replayed"?: string;
                    /** @description Absolute URL of the resource. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audit"];
                };
            };
        };
    };
    getAudit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                auditId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The audit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audit"];
                };
            };
        };
    };
    deleteAudit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                auditId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    cancelAudit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                auditId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The audit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audit"];
                };
            };
        };
    };
    diffAudits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                auditId: string;
                other: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Findings that are new, fixed or still present. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditDiff"];
                };
            };
        };
    };
    getAuditEvents: {
        parameters: {
            query?: {
                /** @description Return events with a greater `seq`. */
                after?: number | null;
                limit?: number;
            };
            header?: {
                /** @description `seq` of the last event received. Takes precedence over `after`. */
                "Last-Event-ID"?: string;
            };
            path: {
                auditId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events in order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobEvents"];
                    "text/event-stream": string;
                };
            };
            /** @description The work has ended and there are no further events. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getAuditReport: {
        parameters: {
            query?: {
                format?: "json" | "html" | "md" | "csv";
            };
            header?: never;
            path: {
                auditId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditReport"];
                    "text/csv": string;
                    "text/html": string;
                    "text/markdown": string;
                };
            };
        };
    };
    followChanges: {
        parameters: {
            query?: {
                /** @description Id of the last event received, for clients without the header. */
                after?: string;
            };
            header?: {
                /** @description Id of the last event received. Takes precedence over `after`. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events as they happen. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["Change"];
                };
            };
        };
    };
    createComparison: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, repeated requests with the same key get the first response and create nothing. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompareRequest"];
            };
        };
        responses: {
            /** @description Queued. */
            201: {
                headers: {
                    /** @description `true` if nothing was created: this is the response to an earlier request. */
                    "Idempotent-Replayed"?: string;
                    /** @description Absolute URL of the resource. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewComparison"];
                };
            };
        };
    };
    getComparison: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                comparisonId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The comparison. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
        };
    };
    deleteComparison: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                comparisonId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    repeatComparison: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, repeated requests with the same key get the first response and create nothing. */
                "Idempotency-Key"?: string;
            };
            path: {
                comparisonId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Queued. */
            201: {
                headers: {
                    /** @description `true` if nothing was created: this is the response to an earlier request. */
                    "Idempotent-Replayed"?: string;
                    /** @description Absolute URL of the resource. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewComparison"];
                };
            };
        };
    };
    cancelComparison: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                comparisonId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The comparison. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
        };
    };
    getComparisonEvents: {
        parameters: {
            query?: {
                /** @description Return events with a greater `seq`. */
                after?: number | null;
                limit?: number;
            };
            header?: {
                /** @description `seq` of the last event received. Takes precedence over `after`. */
                "Last-Event-ID"?: string;
            };
            path: {
                comparisonId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events in order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobEvents"];
                    "text/event-stream": string;
                };
            };
            /** @description The work has ended and there are no further events. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getComparisonProbes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                comparisonId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The probes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComparisonProbes"];
                };
            };
        };
    };
    getDemo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether it runs, and where. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Demo"];
                };
            };
        };
    };
    startDemo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The demo is running. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Demo"];
                };
            };
        };
    };
    stopDemo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The demo has stopped. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is alive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                cursor?: string;
                kind?: "audit" | "compare" | "hello" | "suite";
                limit?: number;
                status?: "queued" | "running" | "done" | "failed" | "canceled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of jobs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Jobs"];
                };
            };
        };
    };
    createJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, repeated requests with the same key get the first response and create nothing. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HelloRequest"];
            };
        };
        responses: {
            /** @description Queued. */
            202: {
                headers: {
                    /** @description `true` if nothing was created: this is the response to an earlier request. */
                    "Idempotent-Replayed"?: string;
                    /** @description Absolute URL of the resource. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobWithResult"];
                };
            };
        };
    };
    deleteJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getJobEvents: {
        parameters: {
            query?: {
                /** @description Return events with a greater `seq`. */
                after?: number | null;
                limit?: number;
            };
            header?: {
                /** @description `seq` of the last event received. Takes precedence over `after`. */
                "Last-Event-ID"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events in order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobEvents"];
                    "text/event-stream": string;
                };
            };
            /** @description The work has ended and there are no further events. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    retryJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    listPairs: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                cursor?: string;
                limit?: number;
                /** @description Only pairs that were compared outside suites, as of the last such comparison. */
                own?: string;
                /** @description Text in one of the two URLs. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of pairs. With `q`, it can be short or empty and still have `next`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pairs"];
                };
            };
        };
    };
    deletePair: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pairKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getBaseline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pairKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The baseline. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Baseline"];
                };
            };
        };
    };
    acceptFindings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pairKey: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptRequest"];
            };
        };
        responses: {
            /** @description The entries of this request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Baseline"];
                };
            };
        };
    };
    removeBaselineEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entryId: string;
                pairKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listComparisons: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path: {
                pairKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The comparisons. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comparisons"];
                };
            };
        };
    };
    probe: {
        parameters: {
            query: {
                /** @description `full` adds the second header list, cookies, details of the body and further exchanges. */
                profile?: "core" | "full";
                /** @description The http or https URL to probe. */
                url: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The envelope. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignalEnvelope"];
                };
            };
        };
    };
    getReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every check passed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Caller"];
                };
            };
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description Logged in. */
            200: {
                headers: {
                    /** @description The session cookie. */
                    "Set-Cookie": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Logged out. */
            204: {
                headers: {
                    /** @description The session cookie. */
                    "Set-Cookie": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listStreams: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                cursor?: string;
                kind?: "stream" | "response";
                limit?: number;
                /** @description Responses that ended this way. */
                outcome?: "completed" | "aborted" | "timeout" | "failed";
                /** @description Streams whose path begins with this text, in the order of their paths. */
                prefix?: string;
                /** @description Text in the path, the upstream URL, the route or the id. A whole id finds its response at once. */
                q?: string;
                /** @description Responses of the inline route of this name. */
                route?: string;
                state?: "open" | "closed";
                /** @description Responses with a status of this class; `none`: calls without a response head. */
                status?: "2xx" | "3xx" | "4xx" | "5xx" | "none";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StreamList"];
                };
            };
        };
    };
    listAttempts: {
        parameters: {
            query: {
                /** @description Id of a proxied response. */
                response: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attempts, in order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProxyAttemptList"];
                };
            };
        };
    };
    getStreamTiming: {
        parameters: {
            query?: {
                /** @description Offset to start at. Default: the first record. */
                from?: string;
                limit?: number;
                /** @description Id of a proxied response. */
                response?: string;
                /** @description Path of a stream. */
                stream?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of records. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StreamTiming"];
                };
            };
        };
    };
    listSuites: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The suites. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suites"];
                };
            };
        };
    };
    createSuite: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, repeated requests with the same key get the first response and create nothing. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuiteRequest"];
            };
        };
        responses: {
            /** @description Queued. */
            201: {
                headers: {
                    /** @description `true` if nothing was created: this is the response to an earlier request. */
                    "Idempotent-Replayed"?: string;
                    /** @description Absolute URL of the resource. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewSuite"];
                };
            };
        };
    };
    getSuite: {
        parameters: {
            query?: {
                /** @description `n` of the last path of the previous page. */
                after?: number | null;
                limit?: number;
            };
            header?: never;
            path: {
                suiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The suite. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuiteWithPaths"];
                };
            };
        };
    };
    deleteSuite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                suiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    cancelSuite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                suiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The suite. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suite"];
                };
            };
        };
    };
    getSuiteEvents: {
        parameters: {
            query?: {
                /** @description Return events with a greater `seq`. */
                after?: number | null;
                limit?: number;
            };
            header?: {
                /** @description `seq` of the last event received. Takes precedence over `after`. */
                "Last-Event-ID"?: string;
            };
            path: {
                suiteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events in order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobEvents"];
                    "text/event-stream": string;
                };
            };
            /** @description The work has ended and there are no further events. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSystem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["System"];
                };
            };
        };
    };
    getTenant: {
        parameters: {
            query?: {
                /** @description A URL of a site. The response then explains how to prove ownership. */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tenant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All webhooks of the tenant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhooks"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, repeated requests with the same key get the first response and create nothing. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description `true` if nothing was created: this is the response to an earlier request. */
                    "Idempotent-Replayed"?: string;
                    /** @description Absolute URL of the resource. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
