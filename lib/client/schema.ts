// Generated from the OpenAPI document by `npm run build:client`.

export interface paths {
    "/v1/emails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an email
         * @description Accepts one email, to be sent now or at `scheduledAt`. The response is sent once the email is durably stored.
         *
         *     Without cc and bcc, each address in `to` gets a separate message, listed in `messages`. With cc or bcc, all recipients share one message.
         *
         *     One `top_` or `seg_` id as the only recipient sends to its sendable members, at most 50: contacts who opted in to the topic or are in the segment, are not unsubscribed and not suppressed. Each gets a separate message with the headers for one-click unsubscribe (RFC 8058). With `topicId`, the email belongs to that topic, and segment members who are not subscribed to it are excluded. `POST /v1/projects/{projectId}/segments/preview` shows beforehand who would be excluded and why. While a segment is being built, the response is 503.
         *
         *     **Idempotency.** A request with an `idempotencyKey` that was accepted before returns 201 with the original body and the header `Idempotent-Replayed: true`, whatever else its body contains. It uses no quota and never creates a second email. A rejected request does not use up its key. A key stays reserved as long as the email exists. The header `Idempotency-Key` is not read: a request that has it and no `idempotencyKey` gets the header `Mailroom-Notice` with its response.
         *
         *     **Unsubscribing.** Email to a single recipient carries `List-Unsubscribe`, and below each body a line with the same link, if it is sent to a topic or segment, has a `sendTimeCategory` other than `transactional`, or has `trackingSettings.unsubscribeTracking`. The link lets the recipient unsubscribe or choose which email to receive. Email with cc or bcc cannot carry it: requesting it with `unsubscribeTracking` is 400.
         *
         *     **Topics.** Email with a `topicId` is not sent to anyone who is not subscribed to that topic, however it is addressed: such a recipient ends as `suppressed` with the reason `topic_opt_out` and uses no quota. A contact's own preference decides, or else the topic's `defaultSubscription`. An address that is not a contact gets the email unless it has unsubscribed from the topic through a link. The state is checked when the email is accepted and again before it is sent. If the topic is deleted before then, nobody gets the email: it ends as `suppressed` with the reason `topic_deleted`.
         *
         *     **Delivery** is at least once: if the next server's reply is lost, the same bytes with the same Message-ID are sent again, unless the project's policy is to hold.
         *
         *     **Simulator.** `delivered@`, `bounced@`, `bounced-later@`, `delayed@`, `suppressed@`, `opened@`, `clicked@` and `complained@simulator.<service domain>`, each with an optional label as in `bounced+a@`, simulate that outcome without leaving the machine: accepted; refused with 550 5.1.1, which suppresses only the labelled address; accepted and, some seconds later, returned by a bounce, with the same effect; deferred at every attempt (451 4.7.0), so `delivery_delayed` after 20 minutes; not sent, like email to a suppressed recipient; accepted and, some seconds later, opened, or opened and its first link followed, or marked as spam by a report of its provider, which suppresses only the labelled address. `opened@` and `clicked@` turn tracking on for their email, which must have HTML. Any other address of the simulator is 400.
         *
         *     **Tracking.** With `openTracking` and `clickTracking`, in the request or else in the project's settings, the HTML of an email to a single recipient gets a tracking pixel, and its `http` and `https` links redirect through Mailroom; every other byte stays the same. Links with the attribute `data-mailroom-no-track`, unsubscribe links, URLs longer than 2,048 characters, links beyond the first 1,000 targets, and the text body are not changed. Requests by machines (known scanners and robots, Apple's prefetch, HEAD, opens within 2 seconds and clicks within 10 seconds of sending, three links within 2 seconds) are recorded with `machine: "true"` and counted separately. The same client and link count once per second, and an email records at most 100 opens and 100 clicks by people, and 50 of both by machines.
         *
         *     Signed-in users pass the project as the query parameter `projectId`.
         *
         *     Needs `emails:send`.
         *
         *     Bucket `email-send`: 300 requests in 60 s per key.
         */
        post: operations["sendEmail"];
        /**
         * Cancel all scheduled emails
         * @description Cancels every email of the project with the status `scheduled`, in groups of 1,000. It accepts no ids: a query parameter other than `projectId`, or a body other than `{}`, is 400.
         *
         *     Needs `emails:send`.
         */
        delete: operations["bulkCancelEmails"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/emails/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check links in HTML
         * @description Requests every hyperlink (`a` and `area`) of a document, each URL once, with HEAD and, if that fails, GET. It follows up to 5 redirects and waits up to 5 seconds for each. `redirected` links work. `broken` links return an error, are relative or are malformed; `error` means that the server cannot be reached or is not public. Warnings about links that work are also in `error` and are not counted: a link shortener, a redirect to another domain, plain http, a server that refuses automated requests. Links other than http and https, placeholders of templates, all beyond the first 100 and those not reached within 20 seconds are `skipped`. A project may run 2 checks at once and check 1,000 links a minute; beyond that the response is 503 with `Retry-After`.
         *
         *     Needs `emails:send`.
         */
        post: operations["validateLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/emails/{emailId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get email
         * @description One email with its bodies and status. Signed-in users pass the project as the query parameter `projectId`.
         *
         *     Needs `emails:read`.
         */
        get: operations["getEmail"];
        put?: never;
        post?: never;
        /**
         * Cancel a scheduled email
         * @description Only an email with the status `scheduled` can be cancelled. Its record stays, with the status `cancelled`.
         *
         *     Needs `emails:send`.
         */
        delete: operations["cancelEmail"];
        options?: never;
        head?: never;
        /**
         * Reschedule an email
         * @description Moves an email with the status `scheduled` to another time, 30 seconds to 30 days ahead. Its timeline gets a `rescheduled` event with both times. A replay of the send still returns the original response.
         *
         *     Needs `emails:send`.
         *
         *     Additive: offered beyond the published contract.
         */
        patch: operations["rescheduleEmail"];
        trace?: never;
    };
    "/v1/emails/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a batch of emails
         * @description 1 to 100 items, each accepted or rejected independently, with its result at the same index: a failed item never rolls back another. A failed item carries `status: "rejected"`, `error` (code, colon, detail) and the whole `problem`. An item with several recipients, or a topic or segment, returns its first message. Each item may have its own `idempotencyKey`; the header `Idempotency-Key` is not read.
         *
         *     Needs `emails:send`.
         *
         *     Bucket `email-batch`: 30 requests in 60 s per key.
         */
        post: operations["batchSendEmails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/emails/{projectId}/stream/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue a stream token
         * @description A token opens one event stream and expires after 60 seconds. A project has at most 30 valid tokens; beyond that, the oldest is deleted. Signed-in users need only `emails:read`.
         *
         *     Needs `emails:send`.
         */
        post: operations["issueStreamToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/emails/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List recent events
         * @description The newest 50 events that the stream would have carried, oldest first. A stream opened with `after` set to the `id` of the last one goes on from there without a gap. With `after` it lists the first ones after that event instead.
         *
         *     Needs `emails:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["listRecentEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/events/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count recent events
         * @description How many events of each type the stream has carried in each two minutes of the last hour. At most the newest 20,000 events of the project are read; if the hour has more, `since` is the time from which all of them are counted.
         *
         *     Needs `emails:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["countRecentEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics/advisor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deliverability advisor
         * @description A score and what to improve, based on the counters of the last 30 days, DMARC reports and the state of the domains. Rates
         *     are evaluated from 200 sent (bounces), 1,000 delivered (sent, where delivery is not reported) and 3 complaints, or 500 a day (volume) upward; below that there is no verdict. Each
         *     recommendation says what it deducts and links to its evidence and to the place where it is fixed.
         *
         *     Needs `emails:send` or `emails:read` or `metrics:read`.
         *
         *     Bucket `metrics`: 120 requests in 60 s per key.
         */
        get: operations["getMetricsAdvisor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics/breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics by domain, provider, topic or tag
         * @description The figures of a window by sending domain, mailbox provider, topic or tag: the 50 with the most email, and the sum
         *     of the others. Domains and providers add up to the project's summary. Email without a topic or tag is in none of these rows, and of an
         *     email with several tags the first ten in alphabetical order count. A day keeps the first 200 keys of each kind; what
         *     comes after them that day is counted under the others. Gmail, Outlook, Yahoo, iCloud and GMX are recognized by the domain of the address; every
         *     other provider is the recipient's domain.
         *
         *     Needs `emails:send` or `emails:read` or `metrics:read`.
         *
         *     Bucket `metrics`: 120 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getMetricsBreakdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Project metrics summary
         * @description Counts and rates of a window. Each recipient counts once, in the hour of the first event, whatever the order in
         *     which events arrive. Rates are fractions from 0 to 1, and 0 where there is nothing to divide by. Simulator and test mail is not counted.
         *
         *     Needs `emails:send` or `emails:read` or `metrics:read`.
         *
         *     Bucket `metrics`: 120 requests in 60 s per key.
         */
        get: operations["getProjectMetricsSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Project metrics timeline
         * @description The counts and rates of a window by hour or day. Every bucket of the window is returned; the first and the last
         *     may be cut by it. Simulator and test mail is not counted.
         *
         *     Needs `emails:send` or `emails:read` or `metrics:read`.
         *
         *     Bucket `metrics`: 120 requests in 60 s per key.
         */
        get: operations["getProjectMetricsTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics/topics/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Topic engagement analytics
         * @description Counts and rates of a topic's mail in a window, from the same hours as the project's summary: mail to `top_…`, and
         *     mail with that `topicId`. Rates are fractions from 0 to 1, and 0 where there is nothing to divide by. Simulator and test mail is
         *     not counted; opens and clicks are those of people.
         *
         *     Needs `emails:send` or `emails:read` or `metrics:read`.
         *
         *     Bucket `metrics`: 120 requests in 60 s per key.
         */
        get: operations["getTopicPerformance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics/emails/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One email performance
         * @description What happened to one email, from its events. If it has several recipients, each flag says whether it is true of any of them. Simulator and test email is shown like any other, because nothing is summed.
         *
         *     Needs `emails:send` or `emails:read` or `metrics:read`.
         *
         *     Bucket `metrics`: 120 requests in 60 s per key.
         */
        get: operations["getEmailPerformance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics/emails/{id}/engagement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Email read/scroll engagement
         * @description How long and how far one email was read, if `readEngagement` was on when it was sent; every optional field is
         *     absent if nothing was measured.
         *
         *     An email cannot run scripts, so both are measured by images. One is sent so slowly that a mail program closes it together with
         *     the email: that is the reading time, up to 60 seconds. Marks at 25, 50, 75 and 100 % of the text tell how far somebody scrolled,
         *     where the project's `scrollDepth` is on and the mail program loads images only when they come into view; marks that are loaded
         *     within 1.5 seconds of the opening are ignored. Programs that block images, or fetch them through a proxy as Gmail, Yahoo Mail and
         *     Apple's privacy protection do, cannot be measured.
         *
         *     Needs `emails:send` or `emails:read` or `metrics:read`.
         *
         *     Bucket `metrics`: 120 requests in 60 s per key.
         */
        get: operations["getEmailEngagement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suppressions
         * @description Newest first, each with its cause. The total of a filtered list is counted up to 10,000.
         *
         *     Needs `suppressions:read`.
         *
         *     Bucket `suppressions`: 120 requests in 60 s per key.
         */
        get: operations["listSuppressions"];
        put?: never;
        /**
         * Suppress one address
         * @description The project sends nothing more to the address: to, cc and bcc are checked when an email is accepted and again right before it is sent. An address that is already on the list is returned unchanged, with its own reason.
         *
         *     Needs `suppressions:write`.
         *
         *     Bucket `suppressions`: 120 requests in 60 s per key.
         */
        post: operations["addSuppression"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/suppressions/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export suppressions as CSV
         * @description The whole list as CSV (RFC 4180, UTF-8), newest first, streamed, so it can have any length. A cell that a spreadsheet would run as a formula begins with an apostrophe. Times are ISO 8601 in UTC.
         *
         *     Needs `suppressions:read`.
         *
         *     Bucket `suppressions`: 120 requests in 60 s per key.
         */
        get: operations["exportSuppressions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/suppressions/{email}": {
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
         * Unsuppress one address
         * @description Allows sends to the address again. Removing the reason `unsubscribe` also ends the global unsubscribe of the contact with this address: do this only if the person asked for it. If the address is listed for another reason and has also unsubscribed, that reason is removed and the unsubscribe stays on the list until it is removed too.
         *
         *     Needs `suppressions:write`.
         *
         *     Bucket `suppressions`: 120 requests in 60 s per key.
         */
        delete: operations["removeSuppression"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/suppressions/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bulk import suppressions
         * @description Rows are normalised, then added; invalid and repeated rows and addresses that are on the list already are skipped, and the first 1,000 invalid ones are reported by their position. A row with a stronger reason than the one on the list (`unsubscribe`, and above it `complaint`) replaces it. At most 16 MiB, and 100,000 rows with a reason. With `dryRun`, rows are counted in the same way and nothing is changed. An interrupted import can be sent again.
         *
         *     Needs `suppressions:write`.
         *
         *     Bucket `suppressions`: 120 requests in 60 s per key.
         */
        post: operations["importSuppressions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/broadcasts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List broadcasts
         * @description The broadcasts of the project, newest first, without their content.
         *
         *     Needs `emails:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["listBroadcasts"];
        put?: never;
        /**
         * Create broadcast
         * @description One message to any number of people: the members of segments and topics, contacts and addresses, each of them once. The response is sent once the broadcast is stored; a worker then sends it, and `GET` shows its progress.
         *
         *     **Recipients.** Members of a segment, contacts who opted in to a topic themselves, and the contacts and addresses in `to`. Those who are unsubscribed, suppressed or, with a topic, not subscribed to that topic are excluded and counted by reason. People who join before the worker reaches them get it; people who leave before then do not. Each email is a separate send, counts once toward the daily quota, and always carries the unsubscribe link and headers.
         *
         *     **Rate.** Half of the project's allowance is left for other email. While other email waits, all broadcasts together use at most half of the project's rate. When the daily quota is used up, the broadcast waits for the next day, and `waiting` says so. Email that waits because a destination or region is in trouble keeps nobody else from getting theirs; from 2,000 such emails on, the broadcast waits and says so.
         *
         *     **Automatic pause.** From 500 emails on, a broadcast is `paused` if more than 5 % of its emails bounce or more than 0.3 % of those delivered cause complaints, and the owners get an email. It also pauses if the project is suspended, the domain of `from` is no longer verified, or its topic, or every segment and topic in `to`, was deleted, and if it could not begin within 72 hours of its `scheduledAt`.
         *
         *     **Idempotency.** A request with an `idempotencyKey` that created a broadcast before returns 202 with that broadcast and the header `Idempotent-Replayed: true`. The header `Idempotency-Key` is not read. If a worker crashes, no recipient is skipped and none gets a second email.
         *
         *     A project has at most 100 broadcasts that have not ended, and 500 drafts.
         *
         *     Needs `emails:send`.
         *
         *     Bucket `email-send`: 300 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["createBroadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/broadcasts/{broadcastId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get broadcast
         * @description The content, the status and the counts: how many people were found, how many got an email, how many were excluded and why, and what happened to the emails. List its emails with `GET …/emails?broadcastId=`.
         *
         *     Needs `emails:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getBroadcast"];
        put?: never;
        post?: never;
        /**
         * Delete draft
         * @description Permanent, and only for drafts: a broadcast that was sent stays, with its results.
         *
         *     Needs `emails:send`.
         *
         *     Bucket `email-send`: 300 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        delete: operations["deleteBroadcast"];
        options?: never;
        head?: never;
        /**
         * Update broadcast
         * @description For drafts and scheduled broadcasts. Omitted fields are unchanged, `null` clears a field (RFC 7396). A draft with `scheduledAt` still waits for `POST …/send`; `scheduledAt: null` makes a scheduled broadcast a draft.
         *
         *     Needs `emails:send`.
         *
         *     Bucket `email-send`: 300 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        patch: operations["updateBroadcast"];
        trace?: never;
    };
    "/v1/projects/{projectId}/broadcasts/{broadcastId}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Duplicate broadcast
         * @description A new draft with its content, attachments, recipients and topic. Its time and its results are not copied. Attachments are kept as long as the bodies of emails, from when the broadcast has ended.
         *
         *     Needs `emails:send`.
         *
         *     Bucket `email-send`: 300 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["duplicateBroadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/broadcasts/{broadcastId}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send draft
         * @description Sends a draft now, or at its `scheduledAt` if that is in the future. A scheduled broadcast is sent now.
         *
         *     Needs `emails:send`.
         *
         *     Bucket `email-send`: 300 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["sendBroadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/broadcasts/{broadcastId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause broadcast
         * @description For a broadcast that is being sent. Recipients whom a worker is processing at this moment still get it, and email already accepted is sent.
         *
         *     Needs `emails:send`.
         *
         *     Bucket `email-send`: 300 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["pauseBroadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/broadcasts/{broadcastId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume broadcast
         * @description Continues after the last processed recipient. If the broadcast had paused automatically, its rates are evaluated again after the next 500 emails.
         *
         *     Needs `emails:send`.
         *
         *     Bucket `email-send`: 300 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["resumeBroadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/broadcasts/{broadcastId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel broadcast
         * @description Permanently ends a broadcast that is scheduled, being sent or paused. Email already accepted is sent.
         *
         *     Needs `emails:send`.
         *
         *     Bucket `email-send`: 300 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["cancelBroadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/broadcasts/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview broadcast
         * @description Renders it for one contact, byte for byte as it would be sent to them now; only the tokens in tracked links and in the link to unsubscribe are samples. Further, how many people lack a value that a placeholder shows. The first 2000 people are looked at. Nothing is sent or stored. With a `template`, it needs `emails:read`, too.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `email-send`: 300 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["previewBroadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/broadcasts/{broadcastId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview stored broadcast
         * @description Renders it for one contact, byte for byte as it would be sent to them now; only the tokens in tracked links and in the link to unsubscribe are samples. Further, how many people lack a value that a placeholder shows. The first 2000 people are looked at. Nothing is sent or stored. It needs `emails:read`, too.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `email-send`: 300 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["previewStoredBroadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/broadcasts/{broadcastId}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List broadcast's links
         * @description The links that people clicked, with the number of clicks and of people. Clicks by machines are not counted. Where clicks are not tracked, there are none.
         *
         *     Needs `emails:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["listBroadcastLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates
         * @description The templates of the project, newest first.
         *
         *     Needs `emails:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Create template
         * @description `{{name}}` shows a variable, `{{contact.firstName | there}}` a field of the recipient's contact (`email`, `firstName`, `lastName`, `phone`) or one of its properties, with a fallback. There is no logic. In `html`, values are escaped, and a placeholder in a tag must be in a quoted attribute; a fallback in the source is taken as it is written. In a subject, line breaks in values become spaces. A name that is neither a variable nor known of contacts is refused.
         *
         *     The template can be used once it is published. A project has at most 500 templates.
         *
         *     Needs `emails:send`.
         *
         *     Bucket `email-send`: 300 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/templates/{templateId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get template
         * @description The template as it was last saved, which may differ from its published version.
         *
         *     Needs `emails:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        /**
         * Delete template
         * @description Permanent, with all versions. Email that was accepted with it is sent.
         *
         *     Needs `emails:send`.
         *
         *     Bucket `email-send`: 300 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        /**
         * Update template
         * @description Omitted fields are unchanged. Sends use the change once it is published.
         *
         *     Needs `emails:send`.
         *
         *     Bucket `email-send`: 300 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        patch: operations["updateTemplate"];
        trace?: never;
    };
    "/v1/projects/{projectId}/templates/{templateId}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish template
         * @description Keeps the template as its next version, which sends use from then on. The newest 100 versions are kept.
         *
         *     Needs `emails:send`.
         *
         *     Bucket `email-send`: 300 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["publishTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/templates/{templateId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List template versions
         * @description The published versions, newest first.
         *
         *     Needs `emails:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["listTemplateVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/templates/{templateId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview template
         * @description Renders the template as it was last saved, or with `published` as sends use it, with these values and, with `contactId`, for that contact. Nothing is sent or stored. Lines that are added when it is sent, such as the link to unsubscribe, are not shown.
         *
         *     Needs `emails:read`.
         *
         *     Bucket `email-send`: 300 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["previewTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List segments
         * @description Newest first. Member counts are stored, so a list costs the same however many members there are.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `segments`: 60 requests in 60 s per key.
         */
        get: operations["listSegments"];
        put?: never;
        /**
         * Create segment
         * @description Without a filter, the members are the contacts added to the segment. With the additive `filter`, the members are the contacts that match; they are updated within seconds when contacts, preferences or email events change, and conditions on recent days are evaluated again every hour. A manually added contact stays in; a manually removed one stays out until it is added again. With many contacts, the first members are computed in the background: `building` shows the progress.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `segments`: 60 requests in 60 s per key.
         */
        post: operations["createSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/segments/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a filter, a segment or a topic
         * @description Returns how many contacts match a filter or are in a segment or topic, with a sample; which contacts a send would exclude and why; and, with `contactId`, why that contact is in or out, condition by condition. Give one of `filter`, `segmentId` and `topicId`; `topicId` together with another previews a send of that topic. The scan takes 2 seconds at most; `exact` says whether it covered all contacts. Nothing is stored or changed.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `segments`: 60 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["previewSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/segments/{segmentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get segment
         * @description One segment with its filter and the number of its members.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `segments`: 60 requests in 60 s per key.
         */
        get: operations["getSegment"];
        put?: never;
        post?: never;
        /**
         * Delete segment
         * @description Permanent. Its contacts remain, their memberships are deleted. A filter of another segment that names it matches nobody from then on, until it is changed. After the response no operation shows the segment or its members; very many memberships are deleted in the background.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `segments`: 60 requests in 60 s per key.
         */
        delete: operations["deleteSegment"];
        options?: never;
        head?: never;
        /**
         * Update segment
         * @description Omitted fields are unchanged (RFC 7396); `filter: null` removes the filter. A new filter changes the members in the background, in steps that block no other change; `building` shows the progress.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `segments`: 60 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        patch: operations["updateSegment"];
        trace?: never;
    };
    "/v1/projects/{projectId}/segments/{segmentId}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List segment members
         * @description Newest contact first. Pass either cursor as `after`. Deep pages cost as much as the first, and contacts that are added or removed meanwhile do not shift the pages.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `segments`: 60 requests in 60 s per key.
         */
        get: operations["listContactsInSegment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/topics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List topics
         * @description The topics of the project, newest first.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `topics`: 120 requests in 60 s per key.
         */
        get: operations["listTopics"];
        put?: never;
        /**
         * Create topic
         * @description Names need not be unique. `defaultSubscription` applies to every contact without its own preference, and is permanent. The counts include only contacts with their own preference.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `topics`: 120 requests in 60 s per key.
         */
        post: operations["createTopic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/topics/{topicId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get topic
         * @description One topic with its default subscription and visibility.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `topics`: 120 requests in 60 s per key.
         */
        get: operations["getTopic"];
        put?: never;
        post?: never;
        /**
         * Delete topic
         * @description Permanent; the preferences of its contacts are lost. Email of the topic that has not been sent, such as scheduled email, is not sent; it ends as `suppressed` with the reason `topic_deleted`. A segment's filter that names it matches nobody from then on, until it is changed. After the response no operation shows the topic; very many preferences are removed in the background.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `topics`: 120 requests in 60 s per key.
         */
        delete: operations["deleteTopic"];
        options?: never;
        head?: never;
        /**
         * Update topic
         * @description Omitted fields are unchanged; an empty description clears it. The default subscription is permanent.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `topics`: 120 requests in 60 s per key.
         */
        patch: operations["updateTopic"];
        trace?: never;
    };
    "/v1/projects/{projectId}/topics/{topicId}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List opted-in contacts
         * @description The contacts that have opted in themselves, newest contact first; `subscription` lists those that have opted out. Contacts that only follow the topic's default are in neither list. Pass either cursor as `after`; deep pages cost as much as the first.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `topics`: 120 requests in 60 s per key.
         */
        get: operations["listContactsInTopic"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/preference-page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview the preference page
         * @description The page that links in email open, as a recipient sees it who has not chosen anything yet. Additive, like the previews of Customer.io's subscription center.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `topics`: 120 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["previewPreferencePage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contact-properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contact properties
         * @description The properties of the project, newest first.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `contact-properties`: 60 requests in 60 s per key.
         */
        get: operations["listContactProperties"];
        put?: never;
        /**
         * Define contact property
         * @description Key and type are permanent. Values are stored and returned as text, which templates, exports and webhooks show unchanged: a `number` is decimal text, such as `42` or `-1.5`, a `boolean` is `true` or `false`, and a `date` is a day of the calendar without a time, such as `2026-03-31`. Imports also accept other common formats of them. A key that the filter of a segment names, of a property that was deleted, is 409 until that filter is changed. A project has at most 500 properties.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `contact-properties`: 60 requests in 60 s per key.
         */
        post: operations["createContactProperty"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contact-properties/{propertyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get contact property
         * @description One property with its type and the fallback value for contacts without one.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `contact-properties`: 60 requests in 60 s per key.
         */
        get: operations["getContactProperty"];
        put?: never;
        post?: never;
        /**
         * Delete contact property
         * @description Permanent; no contact shows a value of it from now on. A segment's filter that names it matches nobody from then on, until it is changed. A small number of stored values is removed before the response, more of them in the background: until then the key cannot be defined again.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `contact-properties`: 60 requests in 60 s per key.
         */
        delete: operations["deleteContactProperty"];
        options?: never;
        head?: never;
        /**
         * Change property fallback
         * @description Only the fallback value can change. If omitted it is unchanged; `null` clears it.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `contact-properties`: 60 requests in 60 s per key.
         */
        patch: operations["updateContactProperty"];
        trace?: never;
    };
    "/v1/projects/{projectId}/contact-properties/{propertyId}/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List frequent values
         * @description The 20 most frequent values of a property among the newest 2,000 contacts, the most frequent first, to choose one for a filter. Values of more than 100 characters are left out.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `contact-properties`: 60 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["listContactPropertyValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contacts
         * @description Newest first. The filters are additive; a contact must match all of them. `total` is exact without a filter and with only one of `segmentId`, `topicId` or `unsubscribed`; otherwise it stops at 10,000. `after` continues from a cursor instead of a `page`: deep pages cost as much as the first, and contacts that are added or removed meanwhile do not shift the pages.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         */
        get: operations["listContacts"];
        /**
         * Add or change contact by address
         * @description Creates the contact, or updates the one with this address. Properties are merged key by key, segments are added, preferences are set; omitted fields are unchanged, including `unsubscribed`. Additive, like the upserts of HubSpot and Customer.io.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        put: operations["upsertContact"];
        /**
         * Create contact
         * @description The address is unique in the project in its canonical form (lower case). Only properties that the project defines are accepted, with values as text. An address that unsubscribed from the project earlier starts unsubscribed, whatever the body says; `PATCH` with `unsubscribed: false` subscribes it again.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         */
        post: operations["createContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contacts/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import contacts
         * @description Takes a CSV file (RFC 4180, first row a header; comma, semicolon, tab or bar, by which the rows have most columns, or what a first line such as `sep=;` names) of at most 256 MiB in UTF-8, UTF-16 or Windows-1252 (Latin-1), which is recognised by its bytes, and reads it in the background: poll the import by the response's `id`. Without `mapping`, columns are matched to fields by their usual names (in English, German, French, Spanish, Italian, Dutch, Portuguese and Turkish) and to properties by key; if two columns match the same target, the first is used, and a column called email wins over one called address. The only column in which half of the first values or more are addresses is used as `email`, whatever its name. Empty cells leave a contact's value unchanged. Spaces around a cell are kept only within quotes, and an apostrophe before text that a spreadsheet would run as a formula is removed. An import can set `unsubscribed` but never clears it; yes and no are read in the same languages, as are WAHR, VRAI and the like, for `unsubscribed` and for properties of type `boolean`. Numbers are converted to the API's format, from a decimal comma or point, with thousands separated by the other, a space or an apostrophe. Dates are read in ISO 8601, as 31.03.2026, 31/03/2026, 3/31/2026, and with the name of the month in English, German, French or Spanish; a time after them is left out. Where a value could be read in two ways (1.234, 03/04/2026), the other values of its column decide, up to the first 50,000 rows; if none tells, a comma is the decimal mark in a file with semicolons and a point in others, and the day comes first unless `dates` says otherwise. `columns` of the response says what was decided. Rows without any value are skipped. A rejected row does not stop the import and is listed with its line. A row is written once, even if the process crashes. With `dryRun`, everything is read, checked and counted but nothing is written, and the file is kept for 24 hours so that `POST …/contact-imports/{importId}/run` can import it. Addresses that are repeated far apart in the file are then counted as created each time.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["importContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contacts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export contacts
         * @description Contacts as CSV (RFC 4180, UTF-8), newest first, with the filters of the list and a column for each property. It is streamed, so it can have any length. Values are the contact's own: if only the fallback of a property applies, the cell is empty. A cell that a spreadsheet would run as a formula begins with an apostrophe. The file can be imported without changes, which restores email, names, phone, `unsubscribed` and properties character by character. An empty string becomes no value; segments, times and ids are not imported; a cell with U+FFFD is rejected.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["exportContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contact-imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List imports of contacts
         * @description The imports of the project, newest first.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["listContactImports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contact-imports/{importId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get import of contacts
         * @description Status and row counts. `bytesRead` of `bytes` is the progress.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getContactImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contact-imports/{importId}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refused rows of an import
         * @description Every rejected row with its line, and the column and reason of each error.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["listContactImportErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contact-imports/{importId}/rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export rejected rows of an import
         * @description The rejected rows as CSV (RFC 4180, UTF-8), with the columns of the file and `reason` as the last one, streamed, so it can have any length. Corrected, the file can be imported as it is: `reason` is ignored unless it is mapped. Of a row, 16,384 characters are kept. A cell that a spreadsheet would run as a formula begins with an apostrophe.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["exportRejectedRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contact-imports/{importId}/sample": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get first rows of a dry run
         * @description The names of the columns and the first rows of the file that a completed dry run keeps, to map its columns again.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getContactImportSample"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contact-imports/{importId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel import of contacts
         * @description No more rows are written; rows already written remain. An import that has ended is unchanged, except that a completed dry run loses its file.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["cancelContactImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contact-imports/{importId}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import rows of a dry run
         * @description Starts another import of the file that a dry run has checked, without another upload: with the same mapping, mode and segment, or with those given here, and with `dryRun` as another check. A completed dry run keeps its file for 24 hours, until `fileUntil`; the new import takes it over, so each dry run can be run once. The response is the new import: poll it by its `id`.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["runContactImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contacts/{contactId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get contact
         * @description One contact with its properties and explicit topic preferences.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         */
        get: operations["getContact"];
        put?: never;
        post?: never;
        /**
         * Delete contact
         * @description Permanent; also deletes property values, memberships and preferences. A suppressed address stays suppressed and unsubscribed from the topics it left, so that a deleted contact does not receive email again by mistake.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         */
        delete: operations["deleteContact"];
        options?: never;
        head?: never;
        /**
         * Update contact
         * @description Omitted fields are unchanged, `null` clears a name or the phone, `properties` replaces the whole map, `propertyChanges` touches only the keys that it names. `unsubscribed: true` suppresses the address with the reason `unsubscribe`; `false` removes that suppression and no other. The address is permanent.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         */
        patch: operations["updateContact"];
        trace?: never;
    };
    "/v1/projects/{projectId}/contacts/{contactId}/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List segments of contact
         * @description The segments that the contact is a member of, by a filter or added manually.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         */
        get: operations["listContactSegments"];
        put?: never;
        /**
         * Add contact to segment
         * @description Idempotent. A contact added manually remains a member, whatever the segment's filter says.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         */
        post: operations["addContactToSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contacts/{contactId}/topics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get topic subscriptions of contact
         * @description One entry for each topic of the project: the contact's own preference, or else the topic's default.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         */
        get: operations["getContactTopics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update topic subscriptions of contact
         * @description Sets the contact's own preference for the listed topics; all others are unchanged.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         */
        patch: operations["updateContactTopics"];
        trace?: never;
    };
    "/v1/projects/{projectId}/contacts/{contactId}/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set external image URL
         * @description Keeps an https URL as it is and never fetches it; the dashboard shows it as a link. An uploaded picture is removed.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         */
        put: operations["setContactImageUrl"];
        /**
         * Upload contact profile image
         * @description One file in the form field `file`: JPEG, PNG, WebP or GIF of at most 5 MiB, 25 million pixels over all frames and 256 frames. Its first bytes decide the type, not the content type of the part. The picture is re-encoded as a square WebP of at most 512 px (with its animation, without its metadata), stored in object storage and shown at `profileImageUrl`; an uploaded picture that it replaces is removed.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         */
        post: operations["uploadContactImage"];
        /**
         * Delete profile image
         * @description Clears `profileImageUrl` and removes an uploaded picture. The response is the same for a contact without one.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         */
        delete: operations["deleteContactImage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contacts/{contactId}/segments/{segmentId}": {
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
         * Remove contact from segment
         * @description Idempotent; the contact itself is unchanged. The segment's filter does not add the contact again; only adding it manually does.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         */
        delete: operations["removeContactFromSegment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contacts/{contactId}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Last 10 activity entries
         * @description Newest first: email to the address, changes of segments and topics, suppressions, and the creation. Opens by machines are excluded.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         */
        get: operations["getContactActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contacts/{contactId}/engagement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Contact engagement score
         * @description 0 to 100, from opens, clicks, bounces and complaints of the last 90 days; opens by machines do not count. `new` until three messages were delivered, then `cold` below 25, `cool` below 50, `warm` below 75, `hot`. Recomputed after its email events and once a day. 204 if nothing was ever sent.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         */
        get: operations["getContactEngagementScore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contacts/{contactId}/email-validation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Contact email validation status
         * @description The recorded result, or else our own, which is stored: whether the domain accepts email (checked for at most 3 s, cached for an hour), whether it is disposable, and whether the address is a role such as `info`. No mail server is asked about a mailbox.
         *
         *     Needs `contacts:read`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         */
        get: operations["getContactEmailValidationStatus"];
        put?: never;
        /**
         * Record validation result
         * @description Records the result of your own check. It replaces any earlier result and is written to the audit log.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         */
        post: operations["recordContactEmailValidation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/contacts/{contactId}/engagement/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recompute engagement score
         * @description Computes the score now and stores it. 204 if nothing was ever sent.
         *
         *     Needs `contacts:write`.
         *
         *     Bucket `contacts`: 200 requests in 60 s per key.
         */
        post: operations["refreshContactEngagementScore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description The webhooks of the project, newest first.
         *
         *     Needs `webhooks:read`.
         *
         *     Bucket `webhooks`: 60 requests in 60 s per key.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Register webhook
         * @description Events of the subscribed types that pass all filters are sent to the URL as JSON in a POST request, signed as specified by [Standard Webhooks](https://www.standardwebhooks.com). The response contains the secret, which is never shown again.
         *
         *     Needs `webhooks:write`.
         *
         *     Bucket `webhooks`: 60 requests in 60 s per key.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/webhooks/{endpointId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get webhook
         * @description Without its secret, which is returned only by the operations that set it.
         *
         *     Needs `webhooks:read`.
         *
         *     Bucket `webhooks`: 60 requests in 60 s per key.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete webhook
         * @description Permanent; also deletes its secret and delivery history. A request in progress finishes; nothing is retried.
         *
         *     Needs `webhooks:write`.
         *
         *     Bucket `webhooks`: 60 requests in 60 s per key.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update webhook
         * @description Omitted fields are unchanged; lists are replaced. A new secret is used at once, and deliveries are also signed with the previous one for 24 hours. Waiting deliveries go to the new URL.
         *
         *     Needs `webhooks:write`.
         *
         *     Bucket `webhooks`: 60 requests in 60 s per key.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/projects/{projectId}/webhooks/{endpointId}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get webhook health
         * @description How the deliveries of the last 24 hours went, by hour, and how fast the endpoint answers. A delivery counts for the hour in which it was created.
         *
         *     Needs `webhooks:read`.
         *
         *     Bucket `webhooks`: 60 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getWebhookHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/webhooks/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview webhook on past events
         * @description What a webhook with these filters and transformations would have sent for past events of the project: up to three of each type among the last 500 events, newest first, each with the body that would be sent, or the filter that excludes it. Where these take longer than 200 ms together, older events are left out. Nothing is stored or sent.
         *
         *     Needs `webhooks:write`.
         *
         *     Bucket `webhooks`: 60 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["previewWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/webhooks/{endpointId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate webhook secret
         * @description Generates a new secret. The response contains it, and it is never shown again. For 24 hours, deliveries carry two signatures, the new secret's first, so that you can update your receivers without losing an event.
         *
         *     Needs `webhooks:write`.
         *
         *     Bucket `webhooks`: 60 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/webhooks/{endpointId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Webhook delivery history
         * @description Newest first, each with the result of its most recent attempt. Deliveries are kept for 90 days.
         *
         *     Needs `webhooks:read`.
         *
         *     Bucket `webhooks`: 60 requests in 60 s per key.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/webhooks/{endpointId}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get webhook delivery
         * @description With the payload as it is signed and sent.
         *
         *     Needs `webhooks:read`.
         *
         *     Bucket `webhooks`: 60 requests in 60 s per key.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/webhooks/{endpointId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send synthetic test event
         * @description Sends one signed `webhook.test` event with the webhook's transformations, whatever it subscribes to and even if it is disabled. The response is the delivery before its attempt: read it again for the result. A test is attempted once.
         *
         *     Needs `webhooks:write`.
         *
         *     Bucket `webhooks`: 60 requests in 60 s per key.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/webhooks/{endpointId}/replay/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay webhook delivery
         * @description Sends the event again, with the same `webhook-id` and body and a new signature. A waiting delivery is attempted now; one that has ended is unchanged, and a new delivery is added. This also works while the webhook is disabled.
         *
         *     Needs `webhooks:write`.
         *
         *     Bucket `webhooks`: 60 requests in 60 s per key.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/webhooks/{endpointId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a range of webhook deliveries
         * @description Sends the events of a range again, each once, with the same `webhook-id` and body: those that the endpoint has not accepted yet, or all. Events that are waiting for an attempt, and tests, are skipped. At most 10,000 events; with `dryRun` they are only counted.
         *
         *     Needs `webhooks:write`.
         *
         *     Bucket `webhooks`: 60 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["replayWebhookDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/inbound-routes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List inbound routes
         * @description The addresses whose mail the project gets, newest first, each with the MX record that its domain needs and has.
         *
         *     Needs `inbound:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["listInboundRoutes"];
        put?: never;
        /**
         * Create inbound route
         * @description Mail to the address is kept, shown under `/inbound`, and sent to the webhook as `email.received`. The domain must be a verified domain of the project, or a name below one such as `reply.acme.com`, and its MX record must name the host in `mx`. An MX record takes all mail of its name: use a name of its own if the domain has mailboxes.
         *
         *     A route takes 60 emails a minute and 1 GiB a day, each of up to 25 MiB; beyond, senders are asked to come back. While the project is suspended or the domain is not verified, they are asked to come back as well. Mail that fails DMARC is rejected if its domain asks for that. Nothing is ever sent in answer. A project has at most 100 routes.
         *
         *     Needs `inbound:write`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["createInboundRoute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/inbound-routes/{routeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get inbound route
         * @description With the MX record that its domain needs, and what is published now.
         *
         *     Needs `inbound:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getInboundRoute"];
        put?: never;
        post?: never;
        /**
         * Delete inbound route
         * @description Mail to the address is refused from then on. What it has received is kept for as long as the route said.
         *
         *     Needs `inbound:write`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        delete: operations["deleteInboundRoute"];
        options?: never;
        head?: never;
        /**
         * Update inbound route
         * @description Omitted fields are unchanged. The listener follows within a second.
         *
         *     Needs `inbound:write`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        patch: operations["updateInboundRoute"];
        trace?: never;
    };
    "/v1/projects/{projectId}/inbound": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List received emails
         * @description What came by the project's inbound routes, newest first.
         *
         *     Needs `inbound:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["listReceivedEmails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/inbound/{inboundId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get received email
         * @description With its text, what of it the person wrote, its headers, the names of its attachments, and its events to webhooks. Everything in it was written by a stranger: show text as text.
         *
         *     Needs `inbound:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getReceivedEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/inbound/{inboundId}/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get received email as it arrived
         * @description The message (RFC 5322), byte for byte.
         *
         *     Needs `inbound:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getReceivedEmailRaw"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/inbound/{inboundId}/attachments/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get attachment of a received email
         * @description The decoded octets of one attachment, numbered from 1, to be saved: it is never shown as a page of this service, whatever its sender calls it.
         *
         *     Needs `inbound:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getReceivedAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/inbound/{inboundId}/deliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver received email again
         * @description Sends `email.received` to the webhook of the email's route again, with the same `webhook-id`.
         *
         *     Needs `inbound:write`.
         *
         *     Bucket `webhooks`: 60 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["deliverReceivedEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/notice-target": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/notice-target/tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @description All projects of the organization, newest first. A signed-in user sees those of all their organizations.
         *
         *     Needs `projects:read`.
         *
         *     Bucket `projects`: 60 requests in 60 s per key.
         */
        get: operations["listProjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get project
         * @description One project with its limits and default tracking settings.
         *
         *     Needs `projects:read`.
         *
         *     Bucket `projects`: 60 requests in 60 s per key.
         */
        get: operations["getProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update project
         * @description Omitted fields are unchanged; `limits` and `trackingSettings` are replaced as a whole, `branding` (additive) field by field. A limit can be lowered, and raised up to the operator's ceiling. The home region is permanent. A signed-in user needs the role owner or admin.
         *
         *     Needs `projects:write`. Signed-in users need the role owner or admin.
         *
         *     Bucket `projects`: 60 requests in 60 s per key.
         */
        patch: operations["updateProject"];
        trace?: never;
    };
    "/v1/projects/{projectId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get project settings
         * @description The limits of a project with their ceilings and current use, when the daily allowance will be used up, how much it stores, and how its home region sends.
         *
         *     Needs `projects:read`.
         *
         *     Bucket `projects`: 60 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getProjectSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/region": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the home region
         * @description Whether email leaves the project's home region.
         *
         *     Needs `projects:read`.
         *
         *     Bucket `projects`: 60 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getProjectRegion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what a project has
         * @description The counts that the dashboard shows in its navigation.
         *
         *     Needs `projects:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getProjectCounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Every key of the project, newest first, including revoked and expired ones. The secrets are never shown again.
         *
         *     Needs `usage:read`.
         */
        get: operations["listApiKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/api-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get API key
         * @description One key with its permissions and last use. The secret is shown only when the key is created or rotated.
         *
         *     Needs `usage:read`.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the calling API key
         * @description The API key of this request: its project, whose id most operations need, and what it may do.
         *
         *     For API keys, whatever their permissions.
         *
         *     Bucket `projects`: 60 requests in 60 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getOwnApiKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/api-keys/{keyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/api-keys/{keyId}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get API key usage
         * @description Requests made with the key, newest first. Both ends of the window are inclusive: continuing with `before` set to the last record's `ts` repeats records of that millisecond and misses none. Records appear about a second after the request.
         *
         *     Needs `usage:read`.
         */
        get: operations["getApiKeyUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/api-keys/{keyId}/usage/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export key usage log
         * @description Requests made with the key, newest first, as a file: CSV (RFC 4180, UTF-8) or a JSON array of the records of the usage list. It is streamed. Both ends of the window are inclusive, and a window of more than 1,000,000 requests is refused. Requests are kept for 90 days. In CSV a cell that a spreadsheet would run as a formula begins with an apostrophe, and times are ISO 8601 in UTC.
         *
         *     Needs `usage:read`.
         */
        get: operations["exportApiKeyUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/api-keys/{keyId}/usage/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get API key usage by day
         * @description Requests of the last 30 days by day and of the last 24 hours by hour, the latency of the latest requests, the permissions they used, and the permissions that the key has not used in 30 days. During a rotation, it also covers the other key. It costs the same after any number of requests.
         *
         *     Needs `usage:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getApiKeyUsageSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests of project
         * @description Requests made with any key of the project, newest first; they appear about a second after the request and are kept for 90 days. A page reads at most 20,000 records: with a filter that few requests match, it can be short or empty although `hasNextPage` is true, and the next page continues after these records. There are no cursors to earlier pages.
         *
         *     Needs `usage:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/requests/{requestId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get request
         * @description One request with a key of the project: how it was answered, why it was refused, where it came from and what it made. Bodies and query strings are never kept.
         *
         *     Needs `usage:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/audit-entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/emails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List emails
         * @description The email log, newest send first, without bodies. The filters are additive; with a filter, `total` stops at 10,000. With `search`, the list contains at most the newest 1,000 matches, and `total` is a quick count: `totalIsMinimum` means that there are more. A search that does not fill the page within two seconds returns what it has found and `searchedTo`; continue it with `before` set to that time.
         *
         *     Needs `emails:read`.
         */
        get: operations["listEmails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/emails/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count emails by status
         * @description How many of the emails that match the filters have each status; statuses without emails are omitted. At most the newest 25,000 emails are counted, with `search` the newest 1,000 matches. If there are more, `complete` is false and each count is a minimum.
         *
         *     Needs `emails:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["countEmails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/emails/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel some scheduled emails
         * @description Cancels up to 100 emails. Only those with the status `scheduled` are cancelled; the response has a result for each. Their records stay, with the status `cancelled`.
         *
         *     Needs `emails:send`.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["cancelEmails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/emails/check-recipients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check recipients before a send
         * @description What would happen to each address if you sent now, in the order of the request: `sendable`, `suppressed` with the reason, or `invalid` with the error. Nothing is sent, stored or counted.
         *
         *     Needs `emails:send`.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["checkRecipients"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/emails/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export emails
         * @description The email log as CSV (RFC 4180, UTF-8), newest send first, with the same filters as the list, without bodies. It is streamed, so it can have any length. A cell that a spreadsheet would run as a formula begins with an apostrophe. Times are ISO 8601 in UTC.
         *
         *     Needs `emails:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["exportEmails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/emails/{emailId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get email of a project
         * @description One email with its bodies and status. The same as `GET /v1/emails/{emailId}`, with the project in the path.
         *
         *     Needs `emails:read`.
         */
        get: operations["getProjectEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/emails/{emailId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the timeline of an email
         * @description The events of the email, oldest first, at most 1,000.
         *
         *     Needs `emails:read`.
         */
        get: operations["getEmailTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/emails/{emailId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of an email
         * @description One delivery per recipient, with its attempts and the SMTP responses.
         *
         *     Needs `emails:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["listEmailDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/emails/{emailId}/explanation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain an email
         * @description Why the email has its status and what to do about it, in one sentence each for the whole email and for each recipient, together with the decisions, the time of signing, the attempts with their SMTP sessions, the events, and the webhook deliveries of these events.
         *
         *     Needs `emails:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getEmailExplanation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/emails/{emailId}/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the raw message
         * @description The signed message (RFC 5322), byte for byte as every attempt sends it, as long as the body of the email is kept.
         *
         *     Needs `emails:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getEmailRaw"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List domains
         * @description Newest first, in short form. Get a single domain to see the records to publish.
         *
         *     Needs `domains:read`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         */
        get: operations["listDomains"];
        put?: never;
        /**
         * Register domain
         * @description Responds with the DNS records to publish. We check them after 5, 15 and 30 seconds, then less and less often, up to every six hours; `verify` checks now. A project can register a domain once, whatever the region. Another project may register it too, with its own keys, names and records.
         *
         *     Needs `domains:write`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         */
        post: operations["registerDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/domains/{domainId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get domain
         * @description With every record to publish, its status, and what the last check found.
         *
         *     Needs `domains:read`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         */
        get: operations["getDomain"];
        put?: never;
        post?: never;
        /**
         * Delete domain
         * @description Permanent. Later sends from the domain are refused. Email already accepted is still sent, including retries, and signed with the domain's key. The key is destroyed once the last of that email has ended, so leave the DNS records in place until then. Scheduled email fails when it is due, with the reason. Registering the domain again creates new keys, with new records.
         *
         *     Needs `domains:write`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         */
        delete: operations["deleteDomain"];
        options?: never;
        head?: never;
        /**
         * Update domain's host names
         * @description Changes the MAIL FROM domain and the tracking host, both below the domain. This is possible only until the domain is verified for the first time, because bounces and links of sent email then use them. Omitted fields are unchanged. Check results for the old names are discarded.
         *
         *     Needs `domains:write`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        patch: operations["updateDomain"];
        trace?: never;
    };
    "/v1/projects/{projectId}/domains/{domainId}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run DNS verification now
         * @description Looks up every record at the domain's own name servers and responds with the result: 200 also when the domain is not verified. A lookup that fails changes nothing. DMARC and the tracking host are checked but never required.
         *
         *     Needs `domains:write`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         */
        post: operations["verifyDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/domains/{domainId}/zone-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get domain's records as a zone file
         * @description All records to publish in BIND's zone file format, for DNS providers that can import it. Long values are split as TXT records require.
         *
         *     Needs `domains:read`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getDomainZoneFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/domains/{domainId}/diagnosis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Diagnose domain's records
         * @description Asks each name server for each record now, and responds with what is expected, what each server answers, the likely cause of a difference, and the fix. Changes nothing; `verify` does. Takes up to five seconds when name servers do not answer.
         *
         *     Needs `domains:read`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["diagnoseDomain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/domains/{domainId}/installation-records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the installation's records
         * @description The two records of the installation that email from the domain's region relies on, the SPF record and the bounce host, and whether the public DNS has them now. The installation's operator publishes them.
         *
         *     Needs `domains:read`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getInstallationRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/domains/{domainId}/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List domain's checks
         * @description Checks that found a change, and checks that someone ran, newest first, each with what changed since the previous one. The last 200 are kept.
         *
         *     Needs `domains:read`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["listDomainChecks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/domains/{domainId}/rotate-dkim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate domain's DKIM key
         * @description The standby key signs from now on; it must be published, otherwise the response is 409. The previous private key is destroyed. Leave its record in the DNS for at least 7 days, so that email in transit can still be verified, then replace the value with the new one shown. Sending does not wait for that. Email that is already composed keeps its signature.
         *
         *     Needs `domains:write`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["rotateDkim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/domains/{domainId}/bimi/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check BIMI record
         * @description Looks up the record at `default._bimi` at the domain's own name servers and responds with the result in `bimiStatus`: 200 also when it is not found. A lookup that fails changes nothing.
         *
         *     Needs `domains:write`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         */
        post: operations["verifyBimi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/domains/{domainId}/bimi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get BIMI checklist
         * @description What decides whether mail programs show the logo: an enforced DMARC policy for the domain and for the organization's domain, looked up now, and the question of a certificate. Takes up to five seconds when name servers do not answer.
         *
         *     Needs `domains:read`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getBimi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set BIMI configuration
         * @description Sets the logo that mail programs show beside mail from the domain. It is requested and checked now: an https URL without redirects, SVG Tiny PS (`version="1.2"`, `baseProfile="tiny-ps"`, a title, square), at most 32 KiB unpacked, without scripts, styles, images, animations or external references. A logo with anything that is not allowed is rejected, never changed. `verificationRecords.bimi` is the record to publish; `bimiStatus` is `pending` until it is found. Omitted fields are unchanged.
         *
         *     Needs `domains:write`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         */
        patch: operations["updateBimi"];
        trace?: never;
    };
    "/v1/projects/{projectId}/domains/{domainId}/bimi/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get checked BIMI logo
         * @description The logo as it was checked, for a preview. If it is opened as a page, it cannot load or run anything.
         *
         *     Needs `domains:read`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getBimiLogo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/domains/{domainId}/dmarc/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get DMARC summary
         * @description What receivers reported about the domain's email in the last 30 days: how many messages passed DMARC, which sources they came from, what receivers did with them, and whether a stricter policy is safe. A stricter policy is safe once reports cover 30 days and at least 98 % of the messages passed.
         *
         *     Needs `domains:read`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getDmarcSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/domains/{domainId}/dmarc/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List DMARC reports
         * @description Aggregate reports about the domain that came by mail or were uploaded, the last one first.
         *
         *     Needs `domains:read`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["listDmarcReports"];
        put?: never;
        /**
         * Upload DMARC reports
         * @description Up to 100 aggregate reports (RFC 7489 or RFC 9990) in form fields named `files`: XML, gzip, ZIP with one file, or the email that carried the report. A file has at most 10 MiB, the form 32 MiB, and a report at most 10 MB unpacked. Each file has its own result: a report with the same reporter and id is a duplicate, and a report without messages from this domain is refused. Reports are kept for 400 days.
         *
         *     Needs `domains:write`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["uploadDmarcReports"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/domains/{domainId}/tls-reports/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get TLS summary
         * @description What senders of mail reported about TLS to the domain's mail servers in the last 30 days (RFC 8460): how many sessions were encrypted as the domain's policy demands, and why and at which server the others failed.
         *
         *     Needs `domains:read`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getTlsSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/domains/{domainId}/tls-reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List TLS reports
         * @description Reports about TLS to the domain's mail servers that came by mail or were uploaded, the last one first.
         *
         *     Needs `domains:read`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["listTlsReports"];
        put?: never;
        /**
         * Upload TLS reports
         * @description Up to 100 reports (RFC 8460) in form fields named `files`: JSON, gzip, ZIP with one file, or the email that carried the report. A file has at most 10 MiB, the form 32 MiB, and a report at most 10 MB unpacked. Each file has its own result: a report with the same reporter and id is a duplicate, and a report that says nothing of this domain is refused. Reports are kept for 400 days.
         *
         *     Needs `domains:write`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        post: operations["uploadTlsReports"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/domains/{domainId}/report-mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get report mail
         * @description Whether DMARC and TLS reports about the domain come by mail: the address for them, whether the DNS has it, the last report that came, and what came and was not taken.
         *
         *     Needs `domains:read`.
         *
         *     Bucket `domains`: 30 requests in 300 s per key.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getReportMail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/emails/{emailId}/returned-mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the mail that came back for an email
         * @description Bounces, delays, delivery reports, complaints and answers that came to the return path of the email, newest first, at most 100, with what was read from each and what it did. They are kept for 30 days.
         *
         *     Needs `emails:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["listReturnedMails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/emails/{emailId}/returned-mails/{mailId}/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a mail that came back as it arrived
         * @description The message (RFC 5322), byte for byte.
         *
         *     Needs `emails:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getReturnedMailRaw"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/mails/{mailId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/mails/{mailId}/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/regions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/loop-tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/relay-tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/egress-addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/egress-addresses/{addressId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/project-pools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/notice-reads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/notice-reads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/setup-checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/setup-confirmations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/header-readings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/destinations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/destinations/{destinationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/destinations/{destinationId}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/waiting-destinations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List where the project's email waits
         * @description The mail servers that are paused or slowed and for which email of the project waits, at most 50, the latest first. Empty where email leaves through a relay.
         *
         *     Needs `emails:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["listWaitingDestinations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/sandbox/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sandbox messages
         * @description What the project has sent through the sandbox, as the receiver saw it, newest first. Messages are kept for
         *     7 days, at most 1,000 per project.
         *
         *     Needs `emails:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["listSandboxMessages"];
        put?: never;
        post?: never;
        /**
         * Delete all sandbox messages
         * @description Empties the project's sandbox mailbox, such as before a test run. The emails themselves stay.
         *
         *     Needs `emails:send`.
         *
         *     Additive: offered beyond the published contract.
         */
        delete: operations["clearSandbox"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/sandbox/messages/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get sandbox message
         * @description One message with its parts, headers and verdicts. The HTML is as sent, except that inline images are embedded: show it
         *     only in a sandboxed frame.
         *
         *     Needs `emails:read`.
         *
         *     Additive: offered beyond the published contract.
         */
        get: operations["getSandboxMessage"];
        put?: never;
        post?: never;
        /**
         * Delete sandbox message
         * @description Removes one message from the sandbox mailbox. The email itself stays.
         *
         *     Needs `emails:send`.
         *
         *     Additive: offered beyond the published contract.
         */
        delete: operations["deleteSandboxMessage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/passkeys/{passkeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/passkey-sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/members/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{projectId}/invites/{inviteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invites/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptingKey: {
            /** @example key_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            keyId: string;
            name?: string;
        };
        ActivityMetadataResponse: {
            /** @example top_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            topicId?: string;
        };
        ActivityResponse: {
            /** @example evt_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @constant */
            object: "activity";
            /** @description `email_sent`, `email_delivered`, `email_opened`, `email_clicked`, `email_bounced`, `email_complained`, `contact_created`, `segment_added`, `segment_removed`, `topic_subscribed`, `topic_unsubscribed`, `suppression_added` or `suppression_removed`. */
            type: string;
            /** Format: date-time */
            occurredAt: string;
            /** @description Id of the email, segment, topic or suppression, which may have been deleted. */
            referenceId?: string;
            /** @description Its subject, name or reason. */
            referenceName?: string;
            metadata?: components["schemas"]["ActivityMetadataResponse"];
        };
        AddSuppressionBody: {
            /** Format: email */
            email: string;
        };
        AddToSegmentBody: {
            segmentId: string;
        };
        AdvisorRecommendationDataResponse: {
            /**
             * Format: int32
             * @description Sent in the last 30 days.
             */
            accepted?: number;
            /** Format: int32 */
            accepted24h?: number;
            /**
             * Format: double
             * @description Opened by people, as a share of delivered (of sent where delivery is not reported) without those that only machines opened.
             */
            adjustedOpenRate?: number;
            /**
             * Format: int32
             * @description Sent a day in the 7 days before the last 24 hours.
             */
            avgDailyAccepted7d?: number;
            /** Format: double */
            bounceRate?: number;
            /** Format: int32 */
            bounced?: number;
            /** Format: double */
            complaintRate?: number;
            /** Format: int32 */
            daysSinceLastSend?: number;
            /**
             * Format: int32
             * @description Of sent where delivery is not reported.
             */
            delivered?: number;
            /**
             * Format: double
             * @description Share of reported messages whose source is known.
             */
            dmarcAccountedRate?: number;
            /** Format: int64 */
            dmarcAlignedMessages?: number;
            /** Format: double */
            dmarcAlignmentFailureRate7d?: number;
            dmarcCurrentPolicy?: string;
            dmarcDomain?: string;
            /** Format: int64 */
            dmarcObservedMessages?: number;
            dmarcRecommendedPolicy?: string;
            /** Format: int32 */
            dmarcReportingDays?: number;
            /** Format: int64 */
            dmarcUnknownMessages?: number;
            /** Format: int32 */
            dmarcUnknownSources?: number;
            /**
             * Format: double
             * @description Opened by people, as a share of delivered, or of sent where delivery is not reported.
             */
            humanOpenRate?: number;
            /**
             * Format: int32
             * @description Recipients whose email only machines opened.
             */
            proxyOpens?: number;
            /**
             * Format: double
             * @description proxyOpens divided by totalOpens.
             */
            proxyRate?: number;
            /**
             * Format: double
             * @description Opened by anyone, as a share of delivered, or of sent where delivery is not reported.
             */
            reportedOpenRate?: number;
            /**
             * Format: int32
             * @description Recipients whose email a person or a machine opened.
             */
            totalOpens?: number;
            /** Format: double */
            unsubRate?: number;
            /** Format: int32 */
            unsubscribed?: number;
        };
        AdvisorRecommendationResponse: {
            /** @description Stable; the texts may change. */
            code: string;
            /** @description `info`, `warning` or `critical`. */
            severity: string;
            title: string;
            /** @description What was found. */
            message: string;
            data?: components["schemas"]["AdvisorRecommendationDataResponse"];
            /** @description Additive: what to do. */
            fix?: string;
            /**
             * Format: int32
             * @description Additive: points deducted from the score.
             */
            deduction?: number;
            /** @description Additive: path of the dashboard page that shows the evidence. */
            evidenceUrl?: string;
            /** @description Additive: path of the dashboard page where you can fix it. */
            fixUrl?: string;
        };
        AdvisorReportResponse: {
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId: string;
            /**
             * Format: int32
             * @description 100 minus the deductions.
             */
            score: number;
            /** @description Largest deduction first; empty if there is nothing to fix. */
            recommendations: components["schemas"]["AdvisorRecommendationResponse"][];
            /** Format: date-time */
            generatedAt: string;
            /**
             * @description Additive: the score as a word: Healthy from 90, Good from 75, Needs attention from 50.
             * @enum {string}
             */
            rating?: "Healthy" | "Good" | "Needs attention" | "Critical";
            /**
             * Format: int32
             * @description Additive: emails sent in the last 30 days, on which the score is based.
             */
            emails?: number;
            /** @description Additive: false if there are too few emails for a meaningful score. */
            enoughEmails?: boolean;
        };
        ApiKey: {
            /** @example key_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @description Always `default`. */
            configId: string;
            name?: string;
            /** @description The prefix of every key. */
            prefix?: string;
            /** @description Its first characters, to recognise the key by: the prefix, the cell where the key names one, and four more. The rest is never shown again. */
            start?: string;
            /** @example org_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            organizationId: string;
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId?: string;
            /** @description Resource to actions, such as `emails: [send]`. */
            permissions?: {
                [key: string]: string[];
            };
            /** @description False once the key is revoked or expired. */
            enabled: boolean;
            /** @description Always true: see the rate limits of each operation. */
            rateLimitEnabled: boolean;
            /** Format: int32 */
            rateLimitMax?: number;
            /** Format: int64 */
            rateLimitTimeWindow?: number;
            /** Format: int32 */
            remaining?: number;
            /** Format: int32 */
            requestCount: number;
            /** Format: date-time */
            lastRequest?: string;
            /** Format: date-time */
            expiresAt?: string;
            /** @description Additive: the client addresses and networks that the key works from; absent if it works from all. */
            allowedAddresses?: string[];
            /** @description Additive: the domains that the key sends from; absent if it sends from all of the project. */
            allowedDomains?: string[];
            metadata?: {
                [key: string]: string;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ApiKeyInRotation: {
            /** @example key_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            keyId: string;
            start: string;
            /** Format: date-time */
            lastUsedAt?: string;
            /** @description Client addresses of its latest 1,000 requests on the last UTC day with requests, most recent first; at most 10. */
            addresses: string[];
            /** @description The last 30 days, oldest first, including days without requests. */
            days: {
                /** @description A day in UTC, such as 2026-11-20. */
                day: string;
                /** Format: int32 */
                requests: number;
                /**
                 * Format: int32
                 * @description Requests answered with a status of 400 or above.
                 */
                refused: number;
            }[];
            /** @description The current hour and the 23 before it, oldest first, including hours without requests. */
            hours: {
                /**
                 * Format: date-time
                 * @description When the hour begins.
                 */
                hour: string;
                /** Format: int32 */
                requests: number;
                /**
                 * Format: int32
                 * @description Requests answered with a status of 400 or above.
                 */
                refused: number;
            }[];
        };
        ApiKeyList: {
            data: components["schemas"]["ApiKey"][];
        };
        ApiKeyRotation: {
            /** Format: date-time */
            startedAt: string;
            /**
             * Format: date-time
             * @description When the old key stops working.
             */
            endsAt?: string;
            /** @description The new key. */
            next: components["schemas"]["ApiKeyInRotation"];
            old: components["schemas"]["ApiKeyInRotation"];
        };
        ApiKeyUsageRecord: {
            /** @example use_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /**
             * @description Additive: the `X-Request-Id` of the response, and the `requestId` of its problem.
             * @example req_01k9q3f7c2e8m9v4x6y8z0a1b3
             */
            requestId?: string;
            /** @example key_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            keyId: string;
            method: string;
            /** @description The template of the path; never its values or the query. */
            route: string;
            /** Format: int32 */
            statusCode: number;
            /** Format: int64 */
            durationMs?: number;
            ip?: string;
            /** @description Additive: the `code` of the problem that answered the request; absent if it succeeded. */
            problemCode?: string;
            /**
             * @description Additive: what the header `Mailroom-Notice` of the response said. `idempotency_key_unread` and `idempotency_unsupported`: the request had the header `Idempotency-Key`, which is not read.
             * @enum {string}
             */
            notice?: "idempotency_key_unread" | "idempotency_unsupported";
            /** Format: date-time */
            ts: string;
            /** @example org_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            orgId: string;
        };
        ApiKeyUsageResponse: {
            data: components["schemas"]["ApiKeyUsageRecord"][];
            page: components["schemas"]["UsagePage"];
        };
        ApiKeyUsageSummary: {
            /** @description The last 30 days, oldest first, including days without requests. */
            days: {
                /** @description A day in UTC, such as 2026-11-20. */
                day: string;
                /** Format: int32 */
                requests: number;
                /**
                 * Format: int32
                 * @description Requests answered with a status of 400 or above.
                 */
                refused: number;
            }[];
            /** @description The current hour and the 23 before it, oldest first, including hours without requests. */
            hours: {
                /**
                 * Format: date-time
                 * @description When the hour begins.
                 */
                hour: string;
                /** Format: int32 */
                requests: number;
                /**
                 * Format: int32
                 * @description Requests answered with a status of 400 or above.
                 */
                refused: number;
            }[];
            /**
             * Format: int64
             * @description Requests in the 30 days.
             */
            requests: number;
            /** Format: int64 */
            refused: number;
            permissions: {
                permission: string;
                /** @description Whether the key has it now. */
                granted: boolean;
                /**
                 * Format: int64
                 * @description Requests in the 30 days.
                 */
                requests: number;
                /**
                 * Format: date-time
                 * @description Within 90 days.
                 */
                lastUsedAt?: string;
            }[];
            /** @description Of its last 1,000 requests, whenever they were made. */
            latency?: {
                /** Format: int32 */
                sample: number;
                /** Format: int32 */
                p50Ms: number;
                /** Format: int32 */
                p95Ms: number;
            };
            /** @description Present while this key and the key that replaces it, or that it replaces, both work. */
            rotation?: components["schemas"]["ApiKeyRotation"];
            /** @description Permissions that the key has had for 30 days without using them. You can remove them. */
            unused: string[];
        };
        ApiProblem: {
            type: string;
            title: string;
            status: number;
            code: string;
            detail?: string;
            instance?: string;
            requestId?: string;
            errors?: components["schemas"]["FieldProblem"][];
        };
        AttachmentRequest: {
            filename: string;
            /**
             * Format: base64
             * @description Base64; all attachments together hold at most 10 MiB, decoded.
             */
            content: string;
            contentType: string;
            /** @description Without brackets, for `cid:` in the HTML. */
            contentId?: string;
            /**
             * @default attachment
             * @enum {string}
             */
            disposition?: "attachment" | "inline";
        };
        BatchSendItemResponse: {
            /** Format: int32 */
            index: number;
            /** @example email_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id?: string;
            status?: string;
            messageId?: string;
            /** Format: date-time */
            scheduledAt?: string;
            /** Format: date-time */
            createdAt?: string;
            /** @description The problem's code, a colon and its detail. */
            error?: string;
            /** @description Additive: the whole problem document. */
            problem?: {
                [key: string]: unknown;
            };
        };
        BatchSendRequest: {
            items: components["schemas"]["SendEmailRequest"][];
        };
        BatchSendResponse: {
            results: components["schemas"]["BatchSendItemResponse"][];
        };
        BimiState: {
            /** @description `pending`, `verified`, `failed` or `not_configured`. */
            status: string;
            logoUrl?: string;
            vmcUrl?: string;
            /** @description Allowed properties of the logo that may display badly. */
            warnings: string[];
            /** @description Further requirements of mail programs for showing the logo, looked up now. */
            gates: {
                /** @enum {string} */
                code: "dmarc-domain" | "dmarc-organization" | "certificate";
                /**
                 * @description `unknown`: a lookup failed.
                 * @enum {string}
                 */
                outcome: "passed" | "failed" | "unknown" | "optional";
                message: string;
                fix?: string;
            }[];
        };
        BroadcastCounts: {
            /**
             * Format: int32
             * @description People found when sending began, each counted once, and those who joined since. Absent before that.
             */
            recipients?: number;
            /**
             * Format: int32
             * @description Emails that were accepted for them.
             */
            accepted: number;
            /** @description People who were excluded, each by the first reason that applies. */
            excluded: components["schemas"]["BroadcastExcludedCounts"];
            /**
             * Format: int32
             * @description Emails with an SMTP response. These and the following as in the metrics, simulator excluded.
             */
            sent: number;
            /** Format: int32 */
            delivered: number;
            /**
             * Format: int32
             * @description Hard bounces.
             */
            bounced: number;
            /** Format: int32 */
            complained: number;
            /** Format: int32 */
            opened: number;
            /** Format: int32 */
            clicked: number;
            /** Format: int32 */
            unsubscribed: number;
            /** Format: int32 */
            failed: number;
            /** @description Additive: false if some of this was accepted by a relay that reports nothing further. Rates of delivered are of sent then. */
            deliveryReported?: boolean;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted that reports nothing further. The rest of sent was delivered, bounced, is known to have failed otherwise, or awaits its report.
             */
            deliveryNotReported?: number;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted whose report of delivery has not come yet.
             */
            awaitingReport?: number;
        };
        BroadcastExcludedCounts: {
            /**
             * Format: int32
             * @description Unsubscribed from everything.
             */
            unsubscribed: number;
            /**
             * Format: int32
             * @description On the suppression list for another reason.
             */
            suppressed: number;
            /**
             * Format: int32
             * @description Not subscribed to the email's topic.
             */
            topicOptOut: number;
            /**
             * Format: int32
             * @description Left the segment or topic after sending began and before they were reached. Known at the end.
             */
            left: number;
        };
        BroadcastItemResponse: {
            /** @example bc_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId: string;
            /** @enum {string} */
            status: "draft" | "scheduled" | "preparing" | "sending" | "paused" | "sent" | "cancelled";
            from: string;
            to: string[];
            subject: string;
            /** @example top_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            topicId?: string;
            testMode: boolean;
            /** @description Whether opens and clicks of its emails are tracked. What is not tracked is counted as 0. */
            tracked: components["schemas"]["BroadcastTracked"];
            /** Format: date-time */
            scheduledAt?: string;
            counts: components["schemas"]["BroadcastCounts"];
            /**
             * @description Why it is paused: by a request, or automatically because of bounces, complaints, a project or domain that cannot send, a full storage, a scheduled time that passed more than 72 hours before it could begin, or because its topic, or every segment and topic among its recipients, was deleted.
             * @enum {string}
             */
            pausedReason?: "requested" | "bounces" | "complaints" | "project_suspended" | "domain_not_verified" | "storage_full" | "schedule_missed" | "topic_deleted" | "audience_deleted";
            /** @description What it waits for. It continues automatically. */
            waiting?: components["schemas"]["BroadcastWait"];
            /** Format: date-time */
            startedAt?: string;
            /** Format: date-time */
            endedAt?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        BroadcastLackingValues: {
            /** @description Field or property of the contact. */
            key: string;
            /** Format: int32 */
            count: number;
        };
        BroadcastLink: {
            /** @description As it was in the email. */
            url: string;
            /**
             * Format: int32
             * @description By people.
             */
            clicks: number;
            /**
             * Format: int32
             * @description Who clicked it, each counted once.
             */
            people: number;
        };
        BroadcastLinksResponse: {
            /** @description The 100 links with the most people, most first. */
            data: components["schemas"]["BroadcastLink"][];
            /** @description Whether all clicks are counted; at most the first 10000 people are. */
            complete: boolean;
        };
        BroadcastPerson: {
            /** @example con_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            contactId?: string;
            email: string;
        };
        BroadcastPreviewResponse: {
            /** @description For whom it is rendered. Absent if nobody would get it. */
            person?: components["schemas"]["BroadcastPerson"];
            subject: string;
            html?: string;
            text?: string;
            /** @description The first people who would get it, up to 20. */
            people: components["schemas"]["BroadcastPerson"][];
            /**
             * Format: int32
             * @description Of the first 2000 people, those who would get it.
             */
            sendable: number;
            /** @description Whether these are all people. */
            complete: boolean;
            /** @description How many of `sendable` see nothing in a place without a fallback, because they have no value. */
            lacking: components["schemas"]["BroadcastLackingValues"][];
        };
        BroadcastResponse: {
            /** @example bc_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId: string;
            /** @enum {string} */
            status: "draft" | "scheduled" | "preparing" | "sending" | "paused" | "sent" | "cancelled";
            from: string;
            to: string[];
            subject: string;
            /** @example top_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            topicId?: string;
            testMode: boolean;
            /** @description Whether opens and clicks of its emails are tracked. What is not tracked is counted as 0. */
            tracked: components["schemas"]["BroadcastTracked"];
            /** Format: date-time */
            scheduledAt?: string;
            counts: components["schemas"]["BroadcastCounts"];
            /**
             * @description Why it is paused: by a request, or automatically because of bounces, complaints, a project or domain that cannot send, a full storage, a scheduled time that passed more than 72 hours before it could begin, or because its topic, or every segment and topic among its recipients, was deleted.
             * @enum {string}
             */
            pausedReason?: "requested" | "bounces" | "complaints" | "project_suspended" | "domain_not_verified" | "storage_full" | "schedule_missed" | "topic_deleted" | "audience_deleted";
            /** @description What it waits for. It continues automatically. */
            waiting?: components["schemas"]["BroadcastWait"];
            /** Format: date-time */
            startedAt?: string;
            /** Format: date-time */
            endedAt?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            replyTo?: string;
            /** @description As it was when the broadcast was made from it. */
            template?: components["schemas"]["BroadcastTemplate"];
            /** @description Whether subject, html and text are written with placeholders. */
            placeholders: boolean;
            /** @description With a template, as for a contact of whom nothing is known. */
            html?: string;
            text?: string;
            attachments?: {
                filename: string;
                contentType: string;
                /**
                 * Format: int32
                 * @description Bytes.
                 */
                size: number;
            }[];
            headers?: {
                [key: string]: string;
            };
            tags?: {
                [key: string]: string;
            };
            metadata?: {
                [key: string]: string;
            };
            /** @enum {string} */
            sendTimeCategory: "transactional" | "marketing" | "notification" | "digest";
            trackingSettings?: components["schemas"]["TrackingSettingsRequestResponse"];
            /** Format: int32 */
            giveUpAfterSeconds?: number;
        };
        BroadcastTemplate: {
            /** @example tpl_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            name: string;
            /** Format: int32 */
            version: number;
            variables: {
                [key: string]: string;
            };
            /** @description Whether it shows fields of the contact. */
            isPersonal: boolean;
        };
        BroadcastTracked: {
            opens: boolean;
            clicks: boolean;
        };
        BroadcastWait: {
            /** @enum {string} */
            reason: "segment_building" | "daily_quota" | "delivery_held";
            /** Format: date-time */
            until?: string;
        };
        BulkCancelResponse: {
            /** Format: int32 */
            cancelled: number;
        };
        CancelEmailsRequest: {
            /** @description Ids of emails. */
            ids: string[];
        };
        CancelEmailsResponse: {
            /** Format: int32 */
            cancelled: number;
            /** @description The result for each email, in the order of the request. */
            data: {
                id: string;
                /** @enum {string} */
                result: "cancelled" | "not_scheduled" | "not_found";
                /** @description The current status of an email that was not scheduled. */
                status?: string;
            }[];
        };
        CancelResponse: {
            cancelled: boolean;
        };
        CheckRecipientsRequest: {
            addresses: string[];
            /** @description The topic that the email would belong to. */
            topicId?: string;
        };
        CheckRecipientsResponse: {
            data: {
                /** @description As in the request. */
                address: string;
                /** @enum {string} */
                state: "sendable" | "suppressed" | "invalid";
                /** @description The reason on the suppression list, `topic_opt_out` or `simulator`; or what is wrong with the address. */
                reason?: string;
                /** @description For `topic_opt_out`, the topic that the address is not subscribed to. */
                detail?: string;
            }[];
        };
        ContactImportErrorGroupResponse: {
            /** @description Empty if the reason concerns the whole row. */
            column: string;
            detail: string;
            /**
             * Format: int32
             * @description Rows with this error.
             */
            rows: number;
            /** @description Up to three values of the column that were rejected, cut to 60 characters. */
            examples: string[];
        };
        ContactImportErrorResponse: {
            /**
             * Format: int32
             * @description Line of the file where the row begins; the header is line 1.
             */
            line: number;
            faults: {
                column: string;
                detail: string;
            }[];
            /** @description Additive: the first 500 characters of the row, unchanged. */
            row?: string;
        };
        /** @description Additive: how a column is read that could be read in two ways, decided for all of its values. */
        ContactImportFormatResponse: {
            /**
             * @description Whether comma or point separates the decimals of its numbers.
             * @enum {string}
             */
            decimal?: "comma" | "point";
            /**
             * @description How its dates such as 03/04/2026 are read.
             * @enum {string}
             */
            dates?: "day_first" | "month_first";
            /** @description None of its values told, so that a default decided. */
            assumed: boolean;
        };
        ContactImportResponse: {
            /** @example imp_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @constant */
            object: "contact_import";
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId: string;
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "cancelled" | "failed";
            /** @enum {string} */
            mode: "upsert" | "skip";
            /** @description Rows are read and counted, but nothing is written. */
            dryRun: boolean;
            fileName?: string;
            /**
             * @description Additive: the encoding of the file.
             * @enum {string}
             */
            encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
            /**
             * @description The segment to which its contacts are added.
             * @example seg_01k9q3f7c2e8m9v4x6y8z0a1b3
             */
            segmentId?: string;
            /** @description Where each column goes: a field, `properties.<key>`, or nowhere (`null`). */
            columns: {
                name: string;
                target: string | null;
                format?: components["schemas"]["ContactImportFormatResponse"];
            }[];
            /**
             * Format: int64
             * @description Size of the file.
             */
            bytes: number;
            /**
             * Format: int64
             * @description Bytes read so far, which is the progress.
             */
            bytesRead: number;
            /**
             * Format: int32
             * @description Rows processed so far: created, updated, skipped or failed.
             */
            processed: number;
            /** Format: int32 */
            created: number;
            /** Format: int32 */
            updated: number;
            /** Format: int32 */
            skipped: number;
            /**
             * Format: int32
             * @description Rejected rows; the list of errors contains all of them.
             */
            failed: number;
            /** @description Additive, where one import is read: why rows were rejected, by column and reason, those of most rows first; up to 200 groups. */
            errorGroups?: components["schemas"]["ContactImportErrorGroupResponse"][];
            /**
             * Format: date-time
             * @description A completed dry run keeps its file until then, so that `POST …/run` can import its rows.
             */
            fileUntil?: string;
            /** @description Why a failed import failed. */
            failure?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt?: string;
            /** Format: date-time */
            endedAt?: string;
        };
        ContactImportSampleResponse: {
            /** @constant */
            object: "contact_import_sample";
            /** @description Names of the columns. */
            header: string[];
            /** @description What separates the cells of the file. */
            delimiter: string;
            /** @description Cells of the first rows after the header, cut to 200 characters: up to 100 rows, fewer where they are long. */
            rows: string[][];
        };
        ContactPropertyResponse: {
            /** @example prop_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @constant */
            object: "contact_property";
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId: string;
            key: string;
            /** @description `string`, `number`, `boolean` or `date`. Values are text on the wire: a number as `42` or `-1.5`, a boolean as `true` or `false`, a date as `2026-03-31`. */
            type: string;
            /** @description Returned for contacts without a value of their own. */
            fallbackValue?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ContactPropertyValueResponse: {
            value: string;
            /**
             * Format: int32
             * @description Of those counted, the ones with this value.
             */
            contacts: number;
        };
        ContactPropertyValuesResponse: {
            /**
             * Format: int32
             * @description Contacts whose values were counted.
             */
            contacts: number;
            data: components["schemas"]["ContactPropertyValueResponse"][];
        };
        ContactResponse: {
            /** @example con_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @constant */
            object: "contact";
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId: string;
            /** @description Lower case, its domain in ASCII. */
            email: string;
            firstName?: string;
            lastName?: string;
            phone?: string;
            profileImageUrl?: string;
            /** @description Values by key; the property's fallback if the contact has no value. */
            properties: {
                [key: string]: string;
            };
            /** @description Additive, only when a single contact is read: keys whose value is the contact's own, not the fallback. */
            ownProperties?: string[];
            segments: string[];
            /** @description The contact's own preferences; topics without one follow their default. */
            topics: components["schemas"]["TopicSubscriptionResponse"][];
            /** @description The global state: `true` suppresses all email. */
            unsubscribed: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        CreateBroadcastRequest: {
            /** @description An address on a verified domain of the project, with or without a display name. */
            from: string;
            replyTo?: string;
            /** @description With `template`, left out or empty. */
            subject?: string;
            /** @description `html`, `text` or both. Empty, or white space alone, counts as absent. */
            html?: string;
            /** @description `html`, `text` or both. Empty, or white space alone, counts as absent. */
            text?: string;
            attachments?: components["schemas"]["AttachmentRequest"][];
            /** @description Additive: further headers. Headers that the service sets and those that give orders to a mail service on the way (`X-SES-…`, `X-SMTPAPI`) are refused, as are two whose names differ only in upper and lower case. `List-…` and `Archived-At` hold URIs in angle brackets, `Disposition-Notification-To` and `Return-Receipt-To` addresses. `List-Unsubscribe` and `List-Unsubscribe-Post` are allowed if the service does not set them. */
            headers?: {
                [key: string]: string;
            };
            tags?: {
                [key: string]: string;
            };
            metadata?: {
                [key: string]: string;
            };
            /** @description The topic that the broadcast belongs to; only people subscribed to it get the broadcast. */
            topicId?: string;
            /**
             * @default marketing
             * @enum {string}
             */
            sendTimeCategory?: "transactional" | "marketing" | "notification" | "digest";
            /** @description `unsubscribeTracking` is always on. */
            trackingSettings?: components["schemas"]["TrackingSettingsRequest"];
            /**
             * @description Runs everything except delivery; costs no quota.
             * @default false
             */
            testMode?: boolean;
            /**
             * Format: int32
             * @description Additive: seconds without success after which the email is `failed`.
             */
            giveUpAfterSeconds?: number;
            /** @description A published template, by its id or name, that gives subject, html and text. It is copied: what is published later changes nothing. Fields of the contact that it shows are those of each recipient, so they need fallbacks. */
            template?: components["schemas"]["TemplateReference"];
            /**
             * @description Whether `{{contact.firstName | there}}` in subject, html and text shows a field of each recipient (`email`, `firstName`, `lastName`, `phone`) or a contact property, with a fallback for those who have no value. As in templates; one without a fallback shows nothing to them. Otherwise it is sent as it is written.
             * @default false
             */
            placeholders?: boolean;
            /** @description Up to 50 ids of segments (`seg_`), topics (`top_`) and contacts (`con_`), and addresses: everyone in any of them gets the email once. A bare string is also accepted. */
            to: string | string[];
            /**
             * Format: date-time
             * @description ISO 8601, 30 seconds to 30 days ahead.
             */
            scheduledAt?: string;
            /**
             * @description Stores it as a draft: nothing is sent until `POST …/send`.
             * @default false
             */
            draft?: boolean;
            idempotencyKey?: string;
        };
        CreateContactBody: {
            /**
             * Format: email
             * @description Unique in the project, permanent.
             */
            email: string;
            firstName?: string;
            lastName?: string;
            phone?: string;
            /**
             * @description Values as text, by the keys of declared properties; at most 50 KB.
             * @default {}
             */
            properties?: {
                [key: string]: string;
            };
            /**
             * @description Segments to add the contact to.
             * @default []
             */
            segments?: components["schemas"]["SegmentRef"][];
            /**
             * @description The contact's own preferences.
             * @default []
             */
            topics?: components["schemas"]["TopicSubscriptionBody"][];
            /**
             * @description Suppresses all email.
             * @default false
             */
            unsubscribed?: boolean;
        };
        CreateContactPropertyBody: {
            /** @description Unique in the project, permanent. */
            key: string;
            /**
             * @description Permanent. `boolean` and `date` are additive.
             * @enum {string}
             */
            type: "string" | "number" | "boolean" | "date";
            fallbackValue?: string;
        };
        CreateInboundRouteBody: {
            /** @description The part of the address before the @; `prefix+*` for all that begin with the prefix and a plus; `*` for all addresses of the domain. The address itself comes before the longest prefix, and that before `*`. Upper and lower case are alike. */
            match?: string;
            /** @description A verified domain of the project, or a name below one. Without `match` and `domain` the route is a test address of this service, which needs no DNS record. */
            domain?: string;
            /**
             * @description The webhook that gets `email.received`, which must be among its types. Without one, email is only kept.
             * @example whk_01k9q3f7c2e8m9v4x6y8z0a1b3
             */
            webhookId?: string;
            /**
             * Format: int32
             * @description Days for which email is kept, 1 to 365. A change holds for email that arrives later.
             * @default 30
             */
            keepDays?: number;
        };
        CreateSegmentBody: {
            /** @description Unique in the project. */
            name: string;
            /** @description Additive: contacts that match are members; membership follows changes to contacts and their email. */
            filter?: components["schemas"]["SegmentFilter"];
        };
        CreateTemplateRequest: {
            /** @description Unique in the project. */
            name: string;
            /** @description `{{name}}` is a variable, `{{contact.firstName | there}}` a field or property of the contact with a fallback. */
            subject: string;
            /** @description Values are escaped. A placeholder in a tag must be in a quoted attribute. */
            html?: string;
            text?: string;
            /** @default [] */
            variables?: components["schemas"]["TemplateVariable"][];
        };
        CreateTopicBody: {
            name: string;
            description?: string;
            /**
             * @description The state of contacts without a preference of their own; permanent.
             * @enum {string}
             */
            defaultSubscription: "opt_in" | "opt_out";
            /**
             * @default private
             * @enum {string}
             */
            visibility?: "public" | "private";
        };
        CreateWebhookBody: {
            /**
             * Format: uri
             * @description A public https URL; private networks only if the operator allows them.
             */
            url: string;
            /**
             * @description Event types. Those of contacts, domains, suppressions and received email are additive: they are sent only to webhooks that list them, and are recorded in the transaction of the change. Their `data`:
             *
             *     - `contact.created`: `contactId`, `email`, `firstName`, `lastName`, `phone`, `unsubscribed`
             *     - `contact.updated`: the same, and in `changed` the names of the fields that were changed, separated by commas (`firstName`, `lastName`, `phone`, `imageUrl`, `properties`, `unsubscribed`)
             *     - `contact.deleted`: `contactId`, `email`
             *     - `domain.created`, `domain.deleted`: `domainId`, `domain`, `region`, `status`
             *     - `domain.verified`, `domain.degraded`, `domain.failed`: the same, and `previousStatus`
             *     - `suppression.added`, `suppression.removed`: `suppressionId`, `email`, `reason`, and `emailId` if an email caused it
             *     - `email.received`: an email that came by an inbound route, for the webhook of that route alone: `inboundId`, `routeId`, `to`, `from`, `fromName`, `subject`, `messageId`, `inReplyTo` (the id of your email), `plus`, `text`, `replyText`, `spf`, `dkim`, `dmarc`, `autoSubmitted` (true or false), `size` (octets), `attachments` (`number`, `filename`, `contentType`, `size`, `url`), `url`, `rawUrl`. `text` and `replyText` are left out of an event of more than 256 KiB
             */
            events: ("email.sent" | "email.delivered" | "email.bounced" | "email.complained" | "email.opened" | "email.clicked" | "email.failed" | "email.rejected" | "email.delivery_delayed" | "email.suppressed" | "email.unsubscribed" | "email.read_engaged" | "webhook.test" | "contact.created" | "contact.updated" | "contact.deleted" | "domain.created" | "domain.verified" | "domain.degraded" | "domain.failed" | "domain.deleted" | "suppression.added" | "suppression.removed" | "email.received")[];
            /** @description Defaults to the host of the URL. */
            name?: string;
            /** @description Only events that pass all filters are delivered. Values are compared as text, before the transformations. */
            filters?: components["schemas"]["WebhookFilterSerializable"][];
            /** @description Applied in order, after the filters. An event may become 256 KiB large, a value in a template 64 KiB, and all of it may take 20 ms; otherwise the delivery fails and says why. */
            transformations?: components["schemas"]["WebhookTransformationSerializable"][];
            /** @description 24 to 64 printable characters, shown as `whsec_` and their base64, or that form: `whsec_` and the base64 (with padding) of at least 24 bytes. Generated if omitted. */
            secret?: string;
        };
        CursorInfo: {
            /** @description Opaque; pass either cursor as `after`. */
            nextCursor: string | null;
            previousCursor: string | null;
            hasNextPage: boolean;
            hasPreviousPage: boolean;
        };
        CursorPage_SegmentContactResponse: {
            cursor: components["schemas"]["CursorInfo"];
            data: components["schemas"]["SegmentContactResponse"][];
        };
        CursorPage_TopicContactResponse: {
            cursor: components["schemas"]["CursorInfo"];
            data: components["schemas"]["TopicContactResponse"][];
        };
        Delivery: {
            /** @example dlv_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @enum {string} */
            role: "to" | "cc" | "bcc";
            address: string;
            status: string;
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** Format: date-time */
            nextAttemptAt?: string;
            bounceType?: string;
            bounceCode?: string;
            diagnostic?: string;
            /** @description Additive: why nothing was sent: the reason on the suppression list, `topic_opt_out`, `topic_deleted` or `simulator`. */
            suppressedBy?: string;
            /** @description Additive: for `topic_opt_out`, the topic that the recipient was not subscribed to. */
            suppressedDetail?: string;
            /** Format: date-time */
            sentAt?: string;
            /** Format: date-time */
            deliveredAt?: string;
            /** Format: date-time */
            endedAt?: string;
        };
        DeliveryAttempt: {
            /** @example att_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** Format: int32 */
            attempt: number;
            outcome: string;
            phase?: string;
            /** Format: int32 */
            code?: number;
            enhanced?: string;
            text?: string;
            remote?: string;
            tls?: string;
            /** @description Additive: how safe the connection to a recipient's own server was: `none`, `encrypted` (any certificate), `valid` (of a known authority, for the name of the server) or `dane` (RFC 7672). Absent where a relay sends. */
            tlsLevel?: string;
            /** @description Additive: what demanded that level: `dane`, `mta-sts` (RFC 8461), `sender` (the `tls` of the email or of its project) or `provider`, whose servers always encrypt. Absent where the server's offer was taken. */
            tlsPolicy?: string;
            /** @description Additive: the IP address that it left from. Absent where a relay sends. */
            source?: string;
            /** @description Additive: what it called itself there (EHLO). Absent where a relay sends. */
            ehloName?: string;
            conversation?: string[];
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            endedAt?: string;
        };
        DeliveryList: {
            data: components["schemas"]["Delivery"][];
        };
        DeliveryWindowRequest: {
            /** Format: date-time */
            start: string;
            /** Format: date-time */
            end: string;
        };
        DiagnosisNote: {
            /** @description `servers-differ` or `dmarc-aspf-strict`. */
            code: string;
            /** @description `dkim-a`, `dkim-b`, `mail-from-mx`, `mail-from-spf`, `dmarc`, `tracking` or `bimi`. */
            record?: string;
            message: string;
            fix: string;
        };
        DkimRecordResponse: {
            name: string;
            type: string;
            value: string;
            /** @description `pending`, `verified` or `failed`. */
            status?: string;
            /** @description What the last check found. */
            found?: string[];
            /** @description Why the record is not valid, if we recognise the cause. */
            likelyCause?: components["schemas"]["DnsLikelyCause"];
            /** @description The previous value under this selector, and how long it must stay in the DNS. */
            retired?: {
                value: string;
                /** Format: date-time */
                keepUntil: string;
            };
        };
        DmarcReport: {
            /** @example dmr_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @description The receiver that wrote the report, such as `google.com`. */
            reporter: string;
            /** @description The reporter's id of the report. */
            reportId: string;
            /** @description The domain whose policy was applied. */
            policyDomain: string;
            /**
             * @description What was published for this domain.
             * @enum {string}
             */
            policy: "none" | "quarantine" | "reject";
            /** Format: date-time */
            beganAt: string;
            /** Format: date-time */
            endedAt: string;
            /** Format: int64 */
            messages: number;
            /**
             * Format: int64
             * @description Messages that passed DMARC: SPF or DKIM, aligned with the domain in From.
             */
            aligned: number;
            /**
             * @description How it came.
             * @enum {string}
             */
            source: "upload" | "mail";
            /** @description Whose mail carried it; absent for an upload. */
            sender?: components["schemas"]["ReportSender"];
            /**
             * Format: date-time
             * @description When it came.
             */
            createdAt: string;
        };
        DmarcReportPage: {
            cursor: components["schemas"]["CursorInfo"];
            data: components["schemas"]["DmarcReport"][];
        };
        DmarcSummary: {
            domain: string;
            /** @description The first of the 30 days, in UTC. */
            from: string;
            /**
             * Format: int32
             * @description Days with reports among the last 90.
             */
            days: number;
            /**
             * Format: int32
             * @description Reports in the 30 days, like everything below.
             */
            reports: number;
            /** Format: int64 */
            messages: number;
            /** Format: int64 */
            aligned: number;
            /**
             * Format: double
             * @description 0..1; 0 without messages.
             */
            alignedRate: number;
            /** @description What receivers did with the messages, by their policy. */
            dispositions: {
                /** Format: int64 */
                none: number;
                /** Format: int64 */
                quarantine: number;
                /** Format: int64 */
                reject: number;
            };
            /** @description At most 100, the largest first. */
            sources: {
                /** @description The domain that the source authenticated, or its address. */
                name: string;
                /**
                 * @description `service`: sent here. `authorized`: passes in another way. `forwarder`: the receiver reports it as forwarded. `unknown`: passes neither SPF nor DKIM for this domain.
                 * @enum {string}
                 */
                kind: "service" | "authorized" | "forwarder" | "unknown";
                /**
                 * Format: int32
                 * @description IP addresses.
                 */
                addresses: number;
                /** Format: int64 */
                messages: number;
                /** Format: int64 */
                aligned: number;
            }[];
            /** Format: int32 */
            unknownSources: number;
            /** Format: int64 */
            unknownMessages: number;
            /** @description Days with reports, oldest first. */
            timeline: {
                /** @description A day in UTC, such as 2026-11-20. */
                day: string;
                /** Format: int64 */
                messages: number;
                /** Format: int64 */
                aligned: number;
            }[];
            /**
             * @description The policy published for this domain, according to the latest report.
             * @enum {string}
             */
            policy?: "none" | "quarantine" | "reject";
            /** @description Absent if there is no report in the last 90 days. */
            tightening?: {
                /** @enum {string} */
                current: "none" | "quarantine" | "reject";
                /** @enum {string} */
                next?: "quarantine" | "reject";
                /** @description Whether the next stricter policy is recommended. */
                safe: boolean;
                reason: string;
            };
        };
        DnsLikelyCause: {
            code: string;
            /** @description What is wrong, in a sentence. */
            message: string;
            /** @description What to do about it. */
            fix: string;
            /** @description The name at which the record was found instead. */
            foundAt?: string;
        };
        DnsProvider: {
            name: string;
            /** @description Where customers edit the zone. */
            dnsPageUrl: string;
            /** @description How its form differs from most others. */
            note?: string;
        };
        DnsRecordResponse: {
            /** @description Absolute, without the final dot. */
            name: string;
            type: string;
            value: string;
            /** Format: int32 */
            priority?: number;
            /** @description `true`: recommended, not needed for verification. */
            optional?: boolean;
            /** @description `pending`, `verified` or `failed`. */
            status?: string;
            /** @description Additive: the value that the domain was verified with, before the installation's name or its region's transport changed. It is found and counts until `oldRecordsCountUntil`. */
            oldValue?: string;
            /** @description What the last check found. */
            found?: string[];
            /** @description Why the record is not valid, if we recognise the cause. */
            likelyCause?: components["schemas"]["DnsLikelyCause"];
        };
        DnsUnreadableRecord: {
            /** @description Absolute, without the final dot. */
            name: string;
            type: string;
            /** Format: int32 */
            priority?: number;
            /** @description `true`: recommended, not needed for verification. */
            optional?: boolean;
            /** @description `pending`, `verified` or `failed`. */
            status?: string;
            /** @description Additive: the value that the domain was verified with, before the installation's name or its region's transport changed. It is found and counts until `oldRecordsCountUntil`. */
            oldValue?: string;
            /** @description What the last check found. */
            found?: string[];
            /** @description Why the record is not valid, if we recognise the cause. */
            likelyCause?: components["schemas"]["DnsLikelyCause"];
        };
        DomainCheck: {
            /** Format: date-time */
            at: string;
            /** @description `pending`, `verified`, `degraded` (records are missing; can still send for 72 hours) or `failed`. */
            status: string;
            /** @description What changed since the previous check. */
            changes: {
                /** @description `dkim-a`, `dkim-b`, `mail-from-mx`, `mail-from-spf`, `dmarc`, `tracking` or `bimi`. */
                record: string;
                /** @description `pending`, `verified` or `failed`. */
                status: string;
                likelyCause?: components["schemas"]["DnsLikelyCause"];
            }[];
        };
        DomainDiagnosis: {
            /** @example dom_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            domainId: string;
            domain: string;
            /**
             * Format: date-time
             * @description When the name servers were asked.
             */
            at: string;
            /** @description The DNS zone that contains the records. */
            zone?: string;
            /** @description The zone's name servers. */
            nameServers: string[];
            provider?: components["schemas"]["DnsProvider"];
            records: components["schemas"]["RecordDiagnosis"][];
            /** @description Notes that do not concern a single record. */
            notes: components["schemas"]["DiagnosisNote"][];
        };
        DomainListItemResponse: {
            /** @example dom_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            domain: string;
            region: string;
            /** @description `pending`, `verified`, `degraded` (records are missing; can still send for 72 hours) or `failed`. */
            status: string;
            /** @description `pending`, `verified`, `failed` or `not_configured`. */
            dkimStatus: string;
            /** @description `pending`, `verified`, `failed` or `not_configured`. */
            trackingStatus: string;
            /** @description `pending`, `verified`, `failed` or `not_configured`. */
            bimiStatus: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description `pending`, `verified`, `failed` or `not_configured`. */
            mailFromStatus?: string;
            /** @description `pending`, `verified`, `failed` or `not_configured`. */
            dmarcStatus?: string;
            /** @description Additive: the region's transport, as in the domain's detail. */
            transport?: string;
        };
        DomainResponse: {
            /** @example dom_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId: string;
            domain: string;
            region: string;
            /** @description `pending`, `verified`, `degraded` (records are missing; can still send for 72 hours) or `failed`. */
            status: string;
            /** @description `pending`, `verified`, `failed` or `not_configured`. */
            dkimStatus: string;
            /** @description Status of the SPF record at `mailFromDomain`. */
            spfStatus: string;
            /** @description `verified`: one valid policy applies, either the domain's own or an inherited one. Never required for sending. */
            dmarcStatus: string;
            /** @description The return path's domain, under `domain`. */
            mailFromDomain: string;
            /** @description Status of both records at `mailFromDomain`. */
            mailFromStatus: string;
            /** @description Additive: `verified` once the host serves links, as in the list. */
            trackingStatus?: string;
            /** @description `pending`, `verified`, `failed` or `not_configured`. */
            bimiStatus: string;
            bimiLogoUrl?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            verifiedAt?: string;
            /**
             * Format: date-time
             * @description Additive, only while `degraded`: when the domain fails if its records are still missing.
             */
            stopsSendingAt?: string;
            /**
             * Format: date-time
             * @description Additive: the installation's name or the region's transport has changed since the domain was verified; until then records with their `oldValue` keep it verified.
             */
            oldRecordsCountUntil?: string;
            verificationRecords: components["schemas"]["VerificationRecordsResponse"];
            /** @description The region's transport: `sandbox` (email is captured and never leaves the machine), `smtp` (a relay), `direct` (the recipients' own servers) or `ses` (Amazon SES). */
            transport?: string;
            /**
             * Format: date-time
             * @description Time of the last check.
             */
            checkedAt?: string;
            /**
             * Format: date-time
             * @description Time of the next scheduled check.
             */
            nextCheckAt?: string;
            /** @description The DNS zone that contains the records. DNS providers' forms take hosts relative to it. */
            zone?: string;
            /** @description The zone's name servers, once known. */
            nameServers?: string[];
            /** @description The DNS provider of the zone, recognised by its name servers. */
            provider?: components["schemas"]["DnsProvider"];
            /** @description The latest checks that found a change or that someone ran, newest first. */
            checks?: components["schemas"]["DomainCheck"][];
        };
        EmailCounts: {
            /**
             * Format: int32
             * @description All emails that were counted.
             */
            total: number;
            /** @description Whether all emails were counted; otherwise each count is a minimum. */
            complete: boolean;
            statuses: {
                /** @enum {string} */
                status: "scheduled" | "queued" | "sending" | "delivery_delayed" | "sent" | "delivered" | "opened" | "clicked" | "complained" | "bounced" | "failed" | "rejected" | "suppressed" | "cancelled" | "test" | "indeterminate";
                /** Format: int32 */
                count: number;
            }[];
        };
        EmailDetailResponse: {
            /** @example email_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            status: string;
            from: string;
            to: string[];
            cc?: string[];
            bcc?: string[];
            replyTo?: string;
            subject: string;
            html?: string;
            text?: string;
            messageId?: string;
            /** @example top_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            topicId?: string;
            /**
             * @description Additive: the broadcast that the email belongs to.
             * @example bc_01k9q3f7c2e8m9v4x6y8z0a1b3
             */
            broadcastId?: string;
            /**
             * @description Additive: as in the request; `transactional` by default.
             * @enum {string}
             */
            sendTimeCategory?: "transactional" | "marketing" | "notification" | "digest";
            /** @description Additive: as in the request; `unsubscribeTracking` as it was decided. */
            trackingSettings?: components["schemas"]["EmailTrackingSettings"];
            tags?: {
                [key: string]: string;
            };
            metadata?: {
                [key: string]: string;
            };
            testMode: boolean;
            error?: string;
            /**
             * Format: date-time
             * @description Additive.
             */
            scheduledAt?: string;
            /** @description Additive: as in the request; absent where the project decides. */
            tls?: string;
            /** Format: date-time */
            sentAt?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt?: string;
        };
        EmailExplanation: {
            /** @example email_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            emailId: string;
            /** @enum {string} */
            status: "scheduled" | "queued" | "sending" | "delivery_delayed" | "sent" | "delivered" | "opened" | "clicked" | "complained" | "bounced" | "failed" | "rejected" | "suppressed" | "cancelled" | "test" | "indeterminate";
            /**
             * @description `none`: it arrived or is about to be sent. `info`: it waits or was excluded as intended. `warning`, `critical`: action may be needed.
             * @enum {string}
             */
            severity: "none" | "info" | "warning" | "critical";
            /** @description Why the email has its status, in one sentence. */
            cause: string;
            /** @description What to do, in one sentence. */
            fix: string;
            /**
             * @description The dashboard page where you can fix it.
             * @enum {string}
             */
            page?: "domains" | "suppressions" | "topics" | "settings" | "sandbox";
            /** @description The API key of the request; absent if a user or a broadcast sent the email. */
            acceptedWith?: components["schemas"]["AcceptingKey"];
            /**
             * Format: date-time
             * @description When the message was composed and signed, before its first attempt.
             */
            signedAt?: string;
            /** @description With their newest 100 attempts and the SMTP session of each; at most 1,000. */
            recipients: components["schemas"]["ExplainedRecipient"][];
            /** @description Oldest first, at most 1,000. */
            events: components["schemas"]["EmailTimelineItem"][];
            /** @description Deliveries of the newest 200 events to webhooks, at most 500; absent without `webhooks:read`. */
            webhookDeliveries?: components["schemas"]["WebhookDeliveryResponse"][];
        };
        EmailPerformanceResponse: {
            /** @example email_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            emailId: string;
            subject: string;
            /** @description As in the From field. */
            fromAddress: string;
            status: string;
            delivered: boolean;
            bounced: boolean;
            complained: boolean;
            /** @description By a person; opens by machines are excluded. */
            opened: boolean;
            /** @description By a person; clicks by machines are excluded. */
            clicked: boolean;
            /**
             * Format: int32
             * @description Clicks by people, including repeated ones.
             */
            totalClicks: number;
            unsubscribed: boolean;
            readEngaged: boolean;
            /** @description Absent if reading is not tracked. */
            readCategory?: string;
            /**
             * Format: double
             * @description Absent if reading is not tracked.
             */
            readTimeSeconds?: number;
            /** @example top_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            topicId?: string;
            /** Format: date-time */
            sentAt?: string;
            /** Format: date-time */
            lastEventAt?: string;
            /** Format: date-time */
            computedAt: string;
        };
        EmailReadScrollAnalyticsResponse: {
            /** @example email_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            emailId: string;
            subject: string;
            /** @description Whether a reading lasted 8 seconds or more. */
            readEngaged: boolean;
            /** Format: date-time */
            readEngagedAt?: string;
            /**
             * Format: double
             * @description Duration of the longest reading, at most 60; absent if none was measured.
             */
            readTimeSeconds?: number;
            /** @description `glanced` (less than 2 seconds), `skimmed` (less than 8) or `read`; absent if none was measured. */
            readCategory?: string;
            /** @description The text fits on one screen, so no depth is measured. */
            shortEmail: boolean;
            /**
             * Format: int32
             * @description The greatest measured depth; absent if none was measured.
             */
            maxDepthPct?: number;
            /**
             * Format: int32
             * @description Readings known to have come down to 25 % of the text.
             */
            depth25Count: number;
            /**
             * Format: int32
             * @description Readings known to have come down to 50 % of the text.
             */
            depth50Count: number;
            /**
             * Format: int32
             * @description Readings known to have come down to 75 % of the text.
             */
            depth75Count: number;
            /**
             * Format: int32
             * @description Readings known to have come down to 100 % of the text.
             */
            depth100Count: number;
            /**
             * Format: double
             * @description Share of the readings whose depth is known; absent if there are none.
             */
            depth25Rate?: number;
            /**
             * Format: double
             * @description Share of the readings whose depth is known; absent if there are none.
             */
            depth50Rate?: number;
            /**
             * Format: double
             * @description Share of the readings whose depth is known; absent if there are none.
             */
            depth75Rate?: number;
            /**
             * Format: double
             * @description Share of the readings whose depth is known; absent if there are none.
             */
            depth100Rate?: number;
            /** @description Client of the latest open or click by a person, if it is known. */
            mailClient?: string;
            /** @description `desktop`, `mobile` or `tablet`. */
            deviceType?: string;
            os?: string;
            /** Format: date-time */
            computedAt: string;
        };
        EmailTimelineItem: {
            /** @example evt_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            type: string;
            /** Format: date-time */
            occurredAt: string;
            /** Format: date-time */
            createdAt: string;
            payload?: {
                [key: string]: string;
            };
            providerEventId?: string;
        };
        EmailTimelineResponse: {
            items: components["schemas"]["EmailTimelineItem"][];
        };
        EmailTrackingSettings: {
            openTracking?: boolean;
            clickTracking?: boolean;
            readEngagement?: boolean;
            /** @description Whether the email carries the unsubscribe headers and link. */
            unsubscribeTracking?: boolean;
        };
        EmailValidationStatusResponse: {
            /** @constant */
            object: "email_validation";
            /** @description `valid`, `risky`, `invalid` or `unknown`. */
            status: string;
            reason?: string;
            /** Format: date-time */
            validatedAt?: string;
        };
        EngagementScoreResponse: {
            /** @constant */
            object: "engagement_score";
            /**
             * Format: int32
             * @description 0 to 100, of the last 90 days.
             */
            score: number;
            /** @description `new`, `cold`, `cool`, `warm` or `hot`. */
            tier: string;
            /** Format: date-time */
            scoredAt: string;
        };
        ExplainedRecipient: {
            /** @example dlv_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @enum {string} */
            role: "to" | "cc" | "bcc";
            address: string;
            status: string;
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** Format: date-time */
            nextAttemptAt?: string;
            bounceType?: string;
            bounceCode?: string;
            diagnostic?: string;
            /** @description Additive: why nothing was sent: the reason on the suppression list, `topic_opt_out`, `topic_deleted` or `simulator`. */
            suppressedBy?: string;
            /** @description Additive: for `topic_opt_out`, the topic that the recipient was not subscribed to. */
            suppressedDetail?: string;
            /** Format: date-time */
            sentAt?: string;
            /** Format: date-time */
            deliveredAt?: string;
            /** Format: date-time */
            endedAt?: string;
            /**
             * @description `none`: it arrived or is about to be sent. `info`: it waits or was excluded as intended. `warning`, `critical`: action may be needed.
             * @enum {string}
             */
            severity: "none" | "info" | "warning" | "critical";
            /** @description Why the email has its status, in one sentence. */
            cause: string;
            /** @description What to do, in one sentence. */
            fix: string;
            /**
             * @description The dashboard page where you can fix it.
             * @enum {string}
             */
            page?: "domains" | "suppressions" | "topics" | "settings" | "sandbox";
            /** @description What the server said in the last attempt, or our own error; of one that a recipient's own server accepted, how it was handed over. */
            evidence?: string;
            /** @description What the sandbox received, and its verdicts. */
            sandboxCopy?: components["schemas"]["SandboxCopy"];
            /** @description The decisions about this recipient, oldest first. */
            decisions: components["schemas"]["ExplanationDecision"][];
        };
        ExplanationDecision: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            decision: "accepted" | "suppressed" | "cancelled" | "test";
            /** @description For `suppressed`: the reason on the suppression list, `topic_opt_out`, `topic_deleted` or `simulator`. */
            reason?: string;
            sentence: string;
        };
        FieldProblem: {
            pointer: string;
            detail: string;
        };
        InboundMx: {
            name: string;
            value: string;
            /** Format: int32 */
            priority: number;
            /**
             * @description `published`: mail comes here. `elsewhere`: the domain's mail goes to the servers in `found`. `missing`: the domain has no MX record. `unknown`: the DNS did not answer in time.
             * @enum {string}
             */
            state: "published" | "elsewhere" | "missing" | "unknown";
            /** @description The servers that are published now, at most 20. */
            found: string[];
        };
        InboundRoute: {
            /** @example inr_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId: string;
            match: string;
            domain: string;
            /** @description `match` and `domain` together. */
            address: string;
            /** @example whk_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            webhookId?: string;
            /** Format: int32 */
            keepDays: number;
            /** @description Whether it is a test address of this service. */
            test: boolean;
            /** @description The record that brings the domain's mail here; a test address needs none. */
            mx?: components["schemas"]["InboundMx"];
            /** Format: date-time */
            lastReceivedAt?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        InstallationRecordsResponse: {
            records: {
                name: string;
                /** @enum {string} */
                type: "TXT" | "A";
                /** @description Whether the public DNS has it now. */
                found: boolean;
            }[];
        };
        LimitGauge: {
            /** Format: int32 */
            value: number;
            /**
             * Format: int32
             * @description The highest value that the operator allows.
             */
            ceiling: number;
            /**
             * Format: int32
             * @description Current use; for `dailySends`, of the whole organization since midnight UTC.
             */
            used?: number;
        };
        LinkResultItem: {
            /** @description As in the HTML. */
            url: string;
            /** @enum {string} */
            status: "ok" | "redirected" | "broken" | "error" | "skipped";
            /**
             * Format: int32
             * @description Status of the last response.
             */
            statusCode?: number;
            /** @description Why it does not work, or a warning about a link that does. */
            error?: string;
        };
        MetricsBreakdownResponse: {
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId: string;
            window: components["schemas"]["MetricsWindowResponse"];
            /** @enum {string} */
            by: "domain" | "provider" | "topic" | "tag";
            /** @description The 50 rows with the most email sent, largest first. */
            data: components["schemas"]["MetricsBreakdownRow"][];
            /** @description The sum of all others, absent if there are none. */
            other?: components["schemas"]["OtherMetricsResponse"];
        };
        MetricsBreakdownRow: {
            /** @description The domain; `gmail`, `microsoft`, `yahoo`, `apple`, `gmx` or the recipient's domain; the topic's id; or the tag as `name:value`. */
            key: string;
            /** @description Display name. */
            name: string;
            /**
             * Format: int32
             * @description Deliveries that ended with an SMTP response, one per recipient.
             */
            sent: number;
            /** Format: int32 */
            delivered: number;
            /**
             * Format: int32
             * @description Hard bounces.
             */
            bounced: number;
            /** Format: int32 */
            complained: number;
            /**
             * Format: int32
             * @description Recipients that opened; opens by machines are excluded.
             */
            opened: number;
            /**
             * Format: int32
             * @description Recipients that clicked; clicks by machines are excluded.
             */
            clicked: number;
            /** Format: int32 */
            unsubscribed: number;
            /** Format: int32 */
            failed: number;
            /** Format: int32 */
            readEngaged: number;
            /**
             * Format: double
             * @description As a share of sent.
             */
            deliveryRate: number;
            /**
             * Format: double
             * @description As a share of sent.
             */
            bounceRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            openRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            clickRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            complaintRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            readEngagementRate: number;
            /** @description Additive: false if some of this was accepted by a relay that reports nothing further. Rates of delivered are of sent then. */
            deliveryReported?: boolean;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted that reports nothing further. The rest of sent was delivered, bounced, is known to have failed otherwise, or awaits its report.
             */
            deliveryNotReported?: number;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted whose report of delivery has not come yet.
             */
            awaitingReport?: number;
            /**
             * Format: int32
             * @description Additive: recipients that were delivered after at least one deferral.
             */
            deferred?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email a machine opened, whether or not a person did.
             */
            machineOpens?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email was opened by a person or a machine.
             */
            openedByAnyone?: number;
            /**
             * Format: double
             * @description Additive: as a share of delivered, or of sent where `deliveryReported` is false.
             */
            unsubscribeRate?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email was still waiting 20 minutes after its first attempt was due.
             */
            deliveryDelayed?: number;
            /** @description Whether the mailbox provider reports complaints, if that is known. */
            reportsComplaints?: boolean;
            /** @description With `compare=previous`. */
            previous?: components["schemas"]["PreviousMetricsBreakdown"];
        };
        MetricsWindowResponse: {
            /**
             * @description `custom` with `from`.
             * @enum {string}
             */
            label: "24h" | "7d" | "30d" | "90d" | "custom";
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
        };
        OtherMetricsResponse: {
            /**
             * Format: int32
             * @description How many further keys were counted individually.
             */
            keys: number;
            /**
             * Format: int32
             * @description Deliveries that ended with an SMTP response, one per recipient.
             */
            sent: number;
            /** Format: int32 */
            delivered: number;
            /**
             * Format: int32
             * @description Hard bounces.
             */
            bounced: number;
            /** Format: int32 */
            complained: number;
            /**
             * Format: int32
             * @description Recipients that opened; opens by machines are excluded.
             */
            opened: number;
            /**
             * Format: int32
             * @description Recipients that clicked; clicks by machines are excluded.
             */
            clicked: number;
            /** Format: int32 */
            unsubscribed: number;
            /** Format: int32 */
            failed: number;
            /** Format: int32 */
            readEngaged: number;
            /**
             * Format: double
             * @description As a share of sent.
             */
            deliveryRate: number;
            /**
             * Format: double
             * @description As a share of sent.
             */
            bounceRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            openRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            clickRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            complaintRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            readEngagementRate: number;
            /** @description Additive: false if some of this was accepted by a relay that reports nothing further. Rates of delivered are of sent then. */
            deliveryReported?: boolean;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted that reports nothing further. The rest of sent was delivered, bounced, is known to have failed otherwise, or awaits its report.
             */
            deliveryNotReported?: number;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted whose report of delivery has not come yet.
             */
            awaitingReport?: number;
            /**
             * Format: int32
             * @description Additive: recipients that were delivered after at least one deferral.
             */
            deferred?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email a machine opened, whether or not a person did.
             */
            machineOpens?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email was opened by a person or a machine.
             */
            openedByAnyone?: number;
            /**
             * Format: double
             * @description Additive: as a share of delivered, or of sent where `deliveryReported` is false.
             */
            unsubscribeRate?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email was still waiting 20 minutes after its first attempt was due.
             */
            deliveryDelayed?: number;
            previous?: components["schemas"]["PreviousOtherMetrics"];
        };
        OwnApiKey: {
            /** @example key_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            keyId: string;
            name?: string;
            /**
             * @description For the `{projectId}` in the paths of other operations.
             * @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3
             */
            projectId: string;
            /** @description The project's home region. */
            region: string;
            /** @description Such as `emails:send`. */
            permissions: string[];
            /**
             * Format: date-time
             * @description Absent if the key does not expire.
             */
            expiresAt?: string;
        };
        PageInfo: {
            /** Format: int32 */
            page: number;
            /** Format: int32 */
            size: number;
            /** Format: int64 */
            total: number;
            /** Format: int32 */
            totalPages: number;
            hasNextPage: boolean;
            hasPreviousPage: boolean;
        };
        Page_BroadcastItemResponse: {
            data: components["schemas"]["BroadcastItemResponse"][];
            page: components["schemas"]["PageInfo"];
        };
        Page_ContactImportErrorResponse: {
            data: components["schemas"]["ContactImportErrorResponse"][];
            page: components["schemas"]["PageInfo"];
        };
        Page_ContactImportResponse: {
            data: components["schemas"]["ContactImportResponse"][];
            page: components["schemas"]["PageInfo"];
        };
        Page_ContactPropertyResponse: {
            data: components["schemas"]["ContactPropertyResponse"][];
            page: components["schemas"]["PageInfo"];
        };
        Page_ContactResponse: {
            data: components["schemas"]["ContactResponse"][];
            page: components["schemas"]["PageInfo"];
            /** @description Additive: pass either cursor as `after` to read the next rows. */
            cursor?: components["schemas"]["CursorInfo"];
        };
        Page_DomainCheck: {
            data: components["schemas"]["DomainCheck"][];
            page: components["schemas"]["PageInfo"];
        };
        Page_DomainListItemResponse: {
            data: components["schemas"]["DomainListItemResponse"][];
            page: components["schemas"]["PageInfo"];
        };
        Page_EmailDetailResponse: {
            data: components["schemas"]["EmailDetailResponse"][];
            page: components["schemas"]["PageInfo"];
            /**
             * @description Additive: there are more emails than `total`.
             * @constant
             */
            totalIsMinimum?: true;
            /**
             * Format: date-time
             * @description Additive: emails before this time were not searched, because that would have taken too long.
             */
            searchedTo?: string;
        };
        Page_InboundRoute: {
            data: components["schemas"]["InboundRoute"][];
            page: components["schemas"]["PageInfo"];
        };
        Page_ProjectResponse: {
            data: components["schemas"]["ProjectResponse"][];
            page: components["schemas"]["PageInfo"];
        };
        Page_SandboxMessage: {
            data: components["schemas"]["SandboxMessage"][];
            page: components["schemas"]["PageInfo"];
        };
        Page_SegmentResponse: {
            data: components["schemas"]["SegmentResponse"][];
            page: components["schemas"]["PageInfo"];
        };
        Page_SuppressionResponse: {
            data: components["schemas"]["SuppressionResponse"][];
            page: components["schemas"]["PageInfo"];
        };
        Page_TemplateResponse: {
            data: components["schemas"]["TemplateResponse"][];
            page: components["schemas"]["PageInfo"];
        };
        Page_TemplateVersionResponse: {
            data: components["schemas"]["TemplateVersionResponse"][];
            page: components["schemas"]["PageInfo"];
        };
        Page_TopicResponse: {
            data: components["schemas"]["TopicResponse"][];
            page: components["schemas"]["PageInfo"];
        };
        Page_WebhookDeliveryResponse: {
            data: components["schemas"]["WebhookDeliveryResponse"][];
            page: components["schemas"]["PageInfo"];
        };
        Page_WebhookResponse: {
            data: components["schemas"]["WebhookResponse"][];
            page: components["schemas"]["PageInfo"];
        };
        PreferencePagePreviewResponse: {
            /** @description A complete HTML document without scripts, with its logo inlined. */
            html: string;
        };
        PreviewBroadcastRequest: {
            /** @description Up to 50 ids of segments (`seg_`), topics (`top_`) and contacts (`con_`), and addresses: everyone in any of them gets the email once. A bare string is also accepted. */
            to: string | string[];
            /** @description Its domain may have a host of its own for tracked links. */
            from?: string;
            /** @description `html`, `text` or both. Empty, or white space alone, counts as absent. */
            html?: string;
            /** @description `html`, `text` or both. Empty, or white space alone, counts as absent. */
            text?: string;
            /** @description The topic that the broadcast belongs to; only people subscribed to it get the broadcast. */
            topicId?: string;
            /** @description `unsubscribeTracking` is always on. */
            trackingSettings?: components["schemas"]["TrackingSettingsRequest"];
            /** @description With `template`, left out or empty. */
            subject?: string;
            template?: components["schemas"]["TemplateReference"];
            /**
             * @description Whether `{{contact.firstName | there}}` in subject, html and text shows a field of each recipient (`email`, `firstName`, `lastName`, `phone`) or a contact property, with a fallback for those who have no value. As in templates; one without a fallback shows nothing to them. Otherwise it is sent as it is written.
             * @default false
             */
            placeholders?: boolean;
            /** @description The contact that it is rendered for. By default, the first person who would get it. */
            contactId?: string;
            /**
             * @description Whether with what is added on sending: tracked links and images, and the link to unsubscribe.
             * @default true
             */
            asSent?: boolean;
        };
        PreviewSegmentBody: {
            filter?: components["schemas"]["SegmentFilter"];
            /** @description A `seg_` id: its current members. */
            segmentId?: string;
            /** @description A `top_` id. On its own: the contacts that have opted in. Together with another: only contacts subscribed to this topic are sendable. */
            topicId?: string;
            /** @description A `con_` id: explains why this contact is in or out. */
            contactId?: string;
        };
        PreviewStoredBroadcastRequest: {
            /** @description The contact that it is rendered for. By default, the first person who would get it. */
            contactId?: string;
            /**
             * @description Whether with what is added on sending: tracked links and images, and the link to unsubscribe.
             * @default true
             */
            asSent?: boolean;
        };
        PreviewTemplateRequest: {
            variables?: {
                [key: string]: string | number;
            };
            /** @description The contact that it is rendered for. */
            contactId?: string;
            /**
             * @description Renders the published version, which sends use.
             * @default false
             */
            published?: boolean;
        };
        PreviousMetricsBreakdown: {
            /**
             * Format: int32
             * @description Deliveries that ended with an SMTP response, one per recipient.
             */
            sent: number;
            /** Format: int32 */
            delivered: number;
            /**
             * Format: int32
             * @description Hard bounces.
             */
            bounced: number;
            /** Format: int32 */
            complained: number;
            /**
             * Format: int32
             * @description Recipients that opened; opens by machines are excluded.
             */
            opened: number;
            /**
             * Format: int32
             * @description Recipients that clicked; clicks by machines are excluded.
             */
            clicked: number;
            /** Format: int32 */
            unsubscribed: number;
            /** Format: int32 */
            failed: number;
            /** Format: int32 */
            readEngaged: number;
            /**
             * Format: double
             * @description As a share of sent.
             */
            deliveryRate: number;
            /**
             * Format: double
             * @description As a share of sent.
             */
            bounceRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            openRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            clickRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            complaintRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            readEngagementRate: number;
            /** @description Additive: false if some of this was accepted by a relay that reports nothing further. Rates of delivered are of sent then. */
            deliveryReported?: boolean;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted that reports nothing further. The rest of sent was delivered, bounced, is known to have failed otherwise, or awaits its report.
             */
            deliveryNotReported?: number;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted whose report of delivery has not come yet.
             */
            awaitingReport?: number;
            /**
             * Format: int32
             * @description Additive: recipients that were delivered after at least one deferral.
             */
            deferred?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email a machine opened, whether or not a person did.
             */
            machineOpens?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email was opened by a person or a machine.
             */
            openedByAnyone?: number;
            /**
             * Format: double
             * @description Additive: as a share of delivered, or of sent where `deliveryReported` is false.
             */
            unsubscribeRate?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email was still waiting 20 minutes after its first attempt was due.
             */
            deliveryDelayed?: number;
        };
        PreviousMetricsResponse: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /**
             * Format: int32
             * @description Deliveries that ended with an SMTP response, one per recipient.
             */
            sent: number;
            /** Format: int32 */
            delivered: number;
            /**
             * Format: int32
             * @description Hard bounces.
             */
            bounced: number;
            /** Format: int32 */
            complained: number;
            /**
             * Format: int32
             * @description Recipients that opened; opens by machines are excluded.
             */
            opened: number;
            /**
             * Format: int32
             * @description Recipients that clicked; clicks by machines are excluded.
             */
            clicked: number;
            /** Format: int32 */
            unsubscribed: number;
            /** Format: int32 */
            failed: number;
            /** Format: int32 */
            readEngaged: number;
            /**
             * Format: double
             * @description As a share of sent.
             */
            deliveryRate: number;
            /**
             * Format: double
             * @description As a share of sent.
             */
            bounceRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            openRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            clickRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            complaintRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            readEngagementRate: number;
            /** @description Additive: false if some of this was accepted by a relay that reports nothing further. Rates of delivered are of sent then. */
            deliveryReported?: boolean;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted that reports nothing further. The rest of sent was delivered, bounced, is known to have failed otherwise, or awaits its report.
             */
            deliveryNotReported?: number;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted whose report of delivery has not come yet.
             */
            awaitingReport?: number;
            /**
             * Format: int32
             * @description Additive: recipients that were delivered after at least one deferral.
             */
            deferred?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email a machine opened, whether or not a person did.
             */
            machineOpens?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email was opened by a person or a machine.
             */
            openedByAnyone?: number;
            /**
             * Format: double
             * @description Additive: as a share of delivered, or of sent where `deliveryReported` is false.
             */
            unsubscribeRate?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email was still waiting 20 minutes after its first attempt was due.
             */
            deliveryDelayed?: number;
        };
        PreviousOtherMetrics: {
            /**
             * Format: int32
             * @description Deliveries that ended with an SMTP response, one per recipient.
             */
            sent: number;
            /** Format: int32 */
            delivered: number;
            /**
             * Format: int32
             * @description Hard bounces.
             */
            bounced: number;
            /** Format: int32 */
            complained: number;
            /**
             * Format: int32
             * @description Recipients that opened; opens by machines are excluded.
             */
            opened: number;
            /**
             * Format: int32
             * @description Recipients that clicked; clicks by machines are excluded.
             */
            clicked: number;
            /** Format: int32 */
            unsubscribed: number;
            /** Format: int32 */
            failed: number;
            /** Format: int32 */
            readEngaged: number;
            /**
             * Format: double
             * @description As a share of sent.
             */
            deliveryRate: number;
            /**
             * Format: double
             * @description As a share of sent.
             */
            bounceRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            openRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            clickRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            complaintRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            readEngagementRate: number;
            /** @description Additive: false if some of this was accepted by a relay that reports nothing further. Rates of delivered are of sent then. */
            deliveryReported?: boolean;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted that reports nothing further. The rest of sent was delivered, bounced, is known to have failed otherwise, or awaits its report.
             */
            deliveryNotReported?: number;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted whose report of delivery has not come yet.
             */
            awaitingReport?: number;
            /**
             * Format: int32
             * @description Additive: recipients that were delivered after at least one deferral.
             */
            deferred?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email a machine opened, whether or not a person did.
             */
            machineOpens?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email was opened by a person or a machine.
             */
            openedByAnyone?: number;
            /**
             * Format: double
             * @description Additive: as a share of delivered, or of sent where `deliveryReported` is false.
             */
            unsubscribeRate?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email was still waiting 20 minutes after its first attempt was due.
             */
            deliveryDelayed?: number;
        };
        ProjectBranding: {
            /** @description Shown instead of the project's name. */
            name?: string | null;
            /** @description Colour of buttons, as `#rrggbb`. */
            color?: string | null;
            /** @description A `data:` URL of a PNG, JPEG or WebP of at most 64 KiB; omitted from lists. */
            logo?: string | null;
        };
        ProjectBrandingResponse: {
            /** @description Shown instead of the project's name. */
            name?: string | null;
            /** @description Colour of buttons, as `#rrggbb`. */
            color?: string | null;
            /** @description A `data:` URL of a PNG, JPEG or WebP of at most 64 KiB; omitted from lists. */
            logo?: string | null;
        };
        ProjectCountsResponse: {
            /**
             * Format: int64
             * @description Emails accepted since the project was created.
             */
            emails: number;
            /**
             * Format: int64
             * @description Messages in the sandbox mailbox.
             */
            sandbox: number;
            /** Format: int64 */
            contacts: number;
            /** Format: int64 */
            segments: number;
            /** Format: int64 */
            topics: number;
            /** Format: int64 */
            properties: number;
            /** Format: int64 */
            suppressions: number;
            /** Format: int64 */
            domains: number;
            /** Format: int64 */
            webhooks: number;
            /**
             * Format: int64
             * @description Keys that are not revoked.
             */
            apiKeys: number;
            /** @description What needs attention. */
            attention: {
                /** @description Domains whose DNS records are missing, by status. */
                domains: {
                    /** Format: int64 */
                    degraded: number;
                    /** Format: int64 */
                    failed: number;
                };
                /** @description Webhooks whose latest attempts failed, and those that were disabled because of it. */
                webhooks: {
                    /** Format: int64 */
                    failing: number;
                    /** Format: int64 */
                    stopped: number;
                };
            };
        };
        ProjectDetailedMetricsTimelineResponse: {
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId: string;
            window: components["schemas"]["MetricsWindowResponse"];
            /** @description `hour` or `day`. */
            granularity: string;
            /** @description `detailed`, or `compact` without the changes. */
            format: string;
            /** @description All buckets of the window, oldest first, including those without email. */
            buckets: components["schemas"]["ProjectDetailedTimelineBucketResponse"][];
            totals: components["schemas"]["ProjectTimelineTotalsResponse"];
        };
        ProjectDetailedTimelineBucketResponse: {
            /**
             * Format: date-time
             * @description Start of the bucket; days are those of `timeZone`.
             */
            bucket: string;
            /**
             * Format: int32
             * @description Deliveries that ended with an SMTP response, one per recipient.
             */
            sent: number;
            /** Format: int32 */
            delivered: number;
            /**
             * Format: int32
             * @description Hard bounces.
             */
            bounced: number;
            /** Format: int32 */
            complained: number;
            /**
             * Format: int32
             * @description Recipients that opened; opens by machines are excluded.
             */
            opened: number;
            /**
             * Format: int32
             * @description Recipients that clicked; clicks by machines are excluded.
             */
            clicked: number;
            /** Format: int32 */
            unsubscribed: number;
            /** Format: int32 */
            failed: number;
            /** Format: int32 */
            readEngaged: number;
            /** Format: int32 */
            deliveryDelayed: number;
            /**
             * Format: double
             * @description As a share of sent.
             */
            deliveryRate: number;
            /**
             * Format: double
             * @description As a share of sent.
             */
            bounceRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            openRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            clickRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            complaintRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            readEngagementRate: number;
            /** @description Additive: false if some of this was accepted by a relay that reports nothing further. Rates of delivered are of sent then. */
            deliveryReported?: boolean;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted that reports nothing further. The rest of sent was delivered, bounced, is known to have failed otherwise, or awaits its report.
             */
            deliveryNotReported?: number;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted whose report of delivery has not come yet.
             */
            awaitingReport?: number;
            /**
             * Format: int32
             * @description Additive: recipients that were delivered after at least one deferral.
             */
            deferred?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email a machine opened, whether or not a person did.
             */
            machineOpens?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email was opened by a person or a machine.
             */
            openedByAnyone?: number;
            /**
             * Format: double
             * @description Additive: as a share of delivered, or of sent where `deliveryReported` is false.
             */
            unsubscribeRate?: number;
            /**
             * Format: int32
             * @description 0 to 100: a weighted share of delivered email (of sent where `deliveryReported` is false), opens 40, clicks 40 and reads 20.
             */
            engagementScore: number;
            /**
             * Format: int32
             * @description Change from the previous bucket; the first has none.
             */
            sentDelta?: number;
            /** Format: int32 */
            deliveredDelta?: number;
            /** Format: double */
            bounceRateDelta?: number;
            /** Format: double */
            openRateDelta?: number;
        };
        ProjectLimitsModel: {
            /**
             * Format: int32
             * @description Messages per second; the token bucket holds max(100, 20 × rate).
             */
            perSecondSends: number;
            /**
             * Format: int32
             * @description Messages per UTC day, counted for the whole organization; test sends do not count.
             */
            dailySends: number;
            /**
             * Format: int32
             * @description Distinct addresses of to, cc and bcc together.
             */
            maxRecipientsPerMessage: number;
            /** Format: int32 */
            maxDomains: number;
            /** Format: int32 */
            maxApiKeys: number;
            /** Format: int32 */
            maxWebhooks: number;
        };
        ProjectLimitsModelResponse: {
            /**
             * Format: int32
             * @description Messages per second; the token bucket holds max(100, 20 × rate).
             */
            perSecondSends: number;
            /**
             * Format: int32
             * @description Messages per UTC day, counted for the whole organization; test sends do not count.
             */
            dailySends: number;
            /**
             * Format: int32
             * @description Distinct addresses of to, cc and bcc together.
             */
            maxRecipientsPerMessage: number;
            /** Format: int32 */
            maxDomains: number;
            /** Format: int32 */
            maxApiKeys: number;
            /** Format: int32 */
            maxWebhooks: number;
        };
        ProjectMetricsSummaryResponse: {
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId: string;
            window: components["schemas"]["MetricsWindowResponse"];
            /**
             * Format: int32
             * @description Deliveries that ended with an SMTP response, one per recipient.
             */
            sent: number;
            /** Format: int32 */
            delivered: number;
            /**
             * Format: int32
             * @description Hard bounces.
             */
            bounced: number;
            /** Format: int32 */
            complained: number;
            /**
             * Format: int32
             * @description Recipients that opened; opens by machines are excluded.
             */
            opened: number;
            /**
             * Format: int32
             * @description Recipients that clicked; clicks by machines are excluded.
             */
            clicked: number;
            /** Format: int32 */
            unsubscribed: number;
            /** Format: int32 */
            failed: number;
            /** Format: int32 */
            readEngaged: number;
            /**
             * Format: double
             * @description As a share of sent.
             */
            deliveryRate: number;
            /**
             * Format: double
             * @description As a share of sent.
             */
            bounceRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            openRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            clickRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            complaintRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            readEngagementRate: number;
            /** @description Additive: false if some of this was accepted by a relay that reports nothing further. Rates of delivered are of sent then. */
            deliveryReported?: boolean;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted that reports nothing further. The rest of sent was delivered, bounced, is known to have failed otherwise, or awaits its report.
             */
            deliveryNotReported?: number;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted whose report of delivery has not come yet.
             */
            awaitingReport?: number;
            /**
             * Format: int32
             * @description Additive: recipients that were delivered after at least one deferral.
             */
            deferred?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email a machine opened, whether or not a person did.
             */
            machineOpens?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email was opened by a person or a machine.
             */
            openedByAnyone?: number;
            /**
             * Format: double
             * @description Additive: as a share of delivered, or of sent where `deliveryReported` is false.
             */
            unsubscribeRate?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email was still waiting 20 minutes after its first attempt was due.
             */
            deliveryDelayed?: number;
            /** @description Additive: the window of the same length before this one, with `compare=previous`. */
            previous?: components["schemas"]["PreviousMetricsResponse"];
        };
        ProjectRegion: {
            region: string;
            /**
             * @description `down` while the region's relay is unreachable and its email waits.
             * @enum {string}
             */
            status: "up" | "down";
            /**
             * Format: date-time
             * @description Since when the region is down.
             */
            since?: string;
            /**
             * Format: int32
             * @description How many of the project's emails wait while the region is down.
             */
            waiting?: number;
            /**
             * @description Only where the region is set to `delivered=dsn`: `asked` if its relay is asked for delivery reports, `not_proved` until a loop test has shown that they would arrive, `not_offered` if the relay has none. With the latter two, email stays `sent`.
             * @enum {string}
             */
            reports?: "asked" | "not_proved" | "not_offered";
            /** @description A sentence about a region that is down. */
            message?: string;
            /**
             * @description Of a region that is down, where it is known: what the server of the service lacks to send to recipients' servers itself, or the account at Amazon SES. No email is charged for it.
             * @enum {string}
             */
            fault?: "resolver_silent" | "no_route" | "source_missing" | "port_blocked" | "ses_suspended" | "ses_paused" | "ses_credentials" | "ses_configuration_set";
        };
        ProjectResponse: {
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            name: string;
            slug: string;
            /** @description Home region; permanent. */
            region: string;
            /** @description `active`, `suspended` or `deleting`. */
            status: string;
            suspensionReason?: string;
            /**
             * Format: date-time
             * @description Additive: when a deleted project is removed for good; until then an owner can restore it.
             */
            removedAt?: string;
            limits: components["schemas"]["ProjectLimitsModelResponse"];
            trackingSettings: components["schemas"]["ProjectTrackingSettingsModelResponse"];
            /** @description Additive: branding of the pages that recipients see. */
            branding?: components["schemas"]["ProjectBrandingResponse"];
            /** @description Additive: the `tls` of emails whose request does not say it. */
            tls?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ProjectSettings: {
            limits: {
                perSecondSends: components["schemas"]["LimitGauge"];
                dailySends: components["schemas"]["LimitGauge"];
                maxRecipientsPerMessage: components["schemas"]["LimitGauge"];
                maxDomains: components["schemas"]["LimitGauge"];
                maxApiKeys: components["schemas"]["LimitGauge"];
                maxWebhooks: components["schemas"]["LimitGauge"];
            };
            /** @description Additive: the forecast of the organization's daily allowance. */
            today: {
                /**
                 * Format: date-time
                 * @description When the daily allowance resets: midnight UTC.
                 */
                resetsAt: string;
                /**
                 * Format: int32
                 * @description Sends per hour at the rate of the last hour; absent with less than 15 minutes of data today.
                 */
                perHour?: number;
                /**
                 * Format: date-time
                 * @description When the daily allowance will be used up at this rate; absent unless that is before `resetsAt`.
                 */
                runsOutAt?: string;
            };
            /** @description Additive: the allowance per second. Sends are refused while all of it is used. */
            burst: {
                /**
                 * Format: int32
                 * @description Sends that are accepted at once after a pause.
                 */
                size: number;
                /**
                 * Format: int32
                 * @description How many of them are used now; they are refilled at `perSecondSends` per second.
                 */
                used: number;
            };
            /** @description Additive: what the project stores. Only the operator can change the limit. */
            storage: {
                /**
                 * Format: int64
                 * @description Content of emails, broadcasts, templates, sandbox messages, webhook deliveries, pictures and import files.
                 */
                usedBytes: number;
                /**
                 * Format: int64
                 * @description Beyond it, sends and uploads are refused with 413 `project.storage_full`.
                 */
                limitBytes: number;
            };
            region: string;
            /** @description How the home region sends: `smtp` (through a relay), `direct` (to the recipients' own servers), `ses` (by the API of Amazon SES), or `sandbox`, which captures all email. */
            transport: string;
            /** @description Additive: when email of the home region counts as delivered: `accept` (when the next server accepts it), `dsn` and `events` (when a report or an event of the provider says so), or `never` (nobody reports it: email ends at `sent`, and metrics count it as `deliveryNotReported`). */
            delivered: string;
        };
        ProjectTimelineTotalsResponse: {
            /**
             * Format: int32
             * @description Deliveries that ended with an SMTP response, one per recipient.
             */
            sent: number;
            /** Format: int32 */
            delivered: number;
            /**
             * Format: int32
             * @description Hard bounces.
             */
            bounced: number;
            /** Format: int32 */
            complained: number;
            /**
             * Format: int32
             * @description Recipients that opened; opens by machines are excluded.
             */
            opened: number;
            /**
             * Format: int32
             * @description Recipients that clicked; clicks by machines are excluded.
             */
            clicked: number;
            /** Format: int32 */
            unsubscribed: number;
            /** Format: int32 */
            failed: number;
            /** Format: int32 */
            readEngaged: number;
            /**
             * Format: double
             * @description As a share of sent.
             */
            deliveryRate: number;
            /**
             * Format: double
             * @description As a share of sent.
             */
            bounceRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            openRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            clickRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            complaintRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            readEngagementRate: number;
            /** @description Additive: false if some of this was accepted by a relay that reports nothing further. Rates of delivered are of sent then. */
            deliveryReported?: boolean;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted that reports nothing further. The rest of sent was delivered, bounced, is known to have failed otherwise, or awaits its report.
             */
            deliveryNotReported?: number;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted whose report of delivery has not come yet.
             */
            awaitingReport?: number;
            /**
             * Format: int32
             * @description Additive: recipients that were delivered after at least one deferral.
             */
            deferred?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email a machine opened, whether or not a person did.
             */
            machineOpens?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email was opened by a person or a machine.
             */
            openedByAnyone?: number;
            /**
             * Format: double
             * @description Additive: as a share of delivered, or of sent where `deliveryReported` is false.
             */
            unsubscribeRate?: number;
            /**
             * Format: int32
             * @description Additive: recipients whose email was still waiting 20 minutes after its first attempt was due.
             */
            deliveryDelayed?: number;
            /**
             * Format: int32
             * @description Mean over the buckets in which email was delivered, or sent where that is not reported.
             */
            avgEngagementScore: number;
            /**
             * Format: date-time
             * @description The bucket with the most sent; absent if nothing was sent.
             */
            peakBucket?: string;
        };
        ProjectTrackingSettingsModel: {
            openTracking: boolean;
            clickTracking: boolean;
            readEngagement: boolean;
            /** @default false */
            scrollDepth?: boolean;
            /** @description Stored without effect: whether an email carries the unsubscribe headers and link is decided by its topic, segment, `trackingSettings` and category. */
            unsubscribeTracking: boolean;
        };
        ProjectTrackingSettingsModelResponse: {
            openTracking: boolean;
            clickTracking: boolean;
            readEngagement: boolean;
            /** @default false */
            scrollDepth?: boolean;
            /** @description Stored without effect: whether an email carries the unsubscribe headers and link is decided by its topic, segment, `trackingSettings` and category. */
            unsubscribeTracking: boolean;
        };
        ReceivedAttachment: {
            /**
             * Format: int32
             * @description From 1, as in the path.
             */
            number: number;
            /** @description As its sender wrote it. */
            filename?: string;
            /** @description As its sender declares it. */
            contentType: string;
            /**
             * Format: int32
             * @description Octets.
             */
            size: number;
        };
        ReceivedEmail: {
            /** @example inb_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /**
             * @description By which it came; the route may be deleted by now.
             * @example inr_01k9q3f7c2e8m9v4x6y8z0a1b3
             */
            routeId?: string;
            /** @description The address that it came to, in lower case. */
            to: string;
            /** @description The address in its From field, else the return path; empty for bounces without one. */
            from: string;
            fromName?: string;
            subject?: string;
            /** @description What follows the plus in the address it came to. */
            plus?: string;
            /**
             * @description The project's email that it answers, by In-Reply-To and References.
             * @example email_01k9q3f7c2e8m9v4x6y8z0a1b3
             */
            inReplyTo?: string;
            /** @description What SPF made of it when it arrived, in a result of RFC 8601 such as `pass`. */
            spf?: string;
            /** @description What DKIM made of it when it arrived, in a result of RFC 8601 such as `pass`. */
            dkim?: string;
            /** @description What DMARC made of it when it arrived, in a result of RFC 8601 such as `pass`. */
            dmarc?: string;
            /** @description Written by a program, such as an out-of-office notice (RFC 3834). Absent until it has been read. */
            autoSubmitted?: boolean;
            /**
             * Format: int32
             * @description Absent until it has been read.
             */
            attachmentCount?: number;
            /**
             * Format: int32
             * @description Octets of the message.
             */
            size: number;
            /** Format: date-time */
            receivedAt: string;
        };
        ReceivedEmailDetail: {
            /** @example inb_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /**
             * @description By which it came; the route may be deleted by now.
             * @example inr_01k9q3f7c2e8m9v4x6y8z0a1b3
             */
            routeId?: string;
            /** @description The address that it came to, in lower case. */
            to: string;
            /** @description The address in its From field, else the return path; empty for bounces without one. */
            from: string;
            fromName?: string;
            subject?: string;
            /** @description What follows the plus in the address it came to. */
            plus?: string;
            /**
             * @description The project's email that it answers, by In-Reply-To and References.
             * @example email_01k9q3f7c2e8m9v4x6y8z0a1b3
             */
            inReplyTo?: string;
            /** @description What SPF made of it when it arrived, in a result of RFC 8601 such as `pass`. */
            spf?: string;
            /** @description What DKIM made of it when it arrived, in a result of RFC 8601 such as `pass`. */
            dkim?: string;
            /** @description What DMARC made of it when it arrived, in a result of RFC 8601 such as `pass`. */
            dmarc?: string;
            /** @description Written by a program, such as an out-of-office notice (RFC 3834). Absent until it has been read. */
            autoSubmitted?: boolean;
            /**
             * Format: int32
             * @description Absent until it has been read.
             */
            attachmentCount?: number;
            /**
             * Format: int32
             * @description Octets of the message.
             */
            size: number;
            /** Format: date-time */
            receivedAt: string;
            messageId?: string;
            /** @description Where an answer goes: Reply-To, else From. */
            replyTo?: string;
            /** @description The text of the message, HTML without its tags; at most 256 KiB. */
            text: string;
            /** @description The text without the message that it quotes. */
            replyText: string;
            /** @description Whether the text is longer than what is given here. */
            textCut: boolean;
            /** @description At most 1,000. */
            headers: {
                name: string;
                value: string;
            }[];
            /** @description At most 200. */
            attachments: components["schemas"]["ReceivedAttachment"][];
            /** @description MAIL FROM of the envelope, empty for bounces. */
            returnPath: string;
            /** @description IP address of the server that handed it over. */
            client: string;
            /** @description What that server called itself. */
            helo: string;
            /** @description TLS protocol; absent on a plain connection. */
            tls?: string;
            /** Format: date-time */
            keepUntil?: string;
            /** @description Of its `email.received` events to webhooks, newest first, at most 20. */
            deliveries: {
                /** @example whd_01k9q3f7c2e8m9v4x6y8z0a1b3 */
                id: string;
                /** @example whk_01k9q3f7c2e8m9v4x6y8z0a1b3 */
                webhookId: string;
                status: string;
                /** Format: int32 */
                attemptCount: number;
                lastError?: string;
                /** Format: date-time */
                createdAt: string;
            }[];
        };
        ReceivedEmailPage: {
            cursor: components["schemas"]["CursorInfo"];
            data: components["schemas"]["ReceivedEmail"][];
        };
        RecentEventCounts: {
            /**
             * Format: date-time
             * @description Events that occurred since this time are counted.
             */
            since: string;
            /**
             * Format: date-time
             * @description The time of the count.
             */
            until: string;
            /**
             * @description The newest event counted. A stream opened with `after` set to it carries the next.
             * @example evt_01k9q3f7c2e8m9v4x6y8z0a1b3
             */
            last?: string;
            /** @description Oldest first; a type that did not occur within two minutes is omitted. */
            data: {
                /**
                 * Format: date-time
                 * @description When the two minutes begin, an even minute.
                 */
                at: string;
                /** @enum {string} */
                type: "sent" | "delivered" | "bounced" | "complained" | "opened" | "clicked" | "unsubscribed";
                /** Format: int32 */
                count: number;
            }[];
        };
        RecentEvents: {
            data: components["schemas"]["StreamEvent"][];
        };
        RecordDiagnosis: {
            /** @description `dkim-a`, `dkim-b`, `mail-from-mx`, `mail-from-spf`, `dmarc`, `tracking` or `bimi`. */
            record: string;
            /** @description Absolute, without the final dot. */
            name: string;
            type: string;
            expected: string;
            /** Format: int32 */
            priority?: number;
            optional: boolean;
            /**
             * @description `unknown`: the lookup failed, so the state is not known.
             * @enum {string}
             */
            outcome: "valid" | "invalid" | "missing" | "unknown";
            /** @description What was found at the name, as text; an MX record as priority and host. */
            found: string[];
            /** @description Why the record is not valid, if we recognise the cause, and how to fix it. */
            likelyCause?: components["schemas"]["DnsLikelyCause"];
            servers: components["schemas"]["ServerDiagnosis"][];
        };
        RecordValidationBody: {
            /** @enum {string} */
            status: "valid" | "risky" | "invalid" | "unknown";
            reason?: string;
        };
        RegisterDomainRequest: {
            /** @description Host name without scheme or path; normalised to lower case and A-labels. */
            domain: string;
            /** @enum {string} */
            region: "us-east-1" | "eu-west-1" | "af-south-1" | "ap-southeast-1";
        };
        ReportMail: {
            /** @description Where the domain's reports go, DMARC and TLS. */
            address: string;
            /**
             * @description Whether the installation takes mail: from everywhere, from its own machine alone (the sandbox), or not now.
             * @enum {string}
             */
            listener: "open" | "local" | "closed";
            dmarc: {
                record: {
                    name: string;
                    /** @description What to publish as TXT; empty where nothing can be recommended. */
                    value: string;
                    /**
                     * @description Whether the DNS has the address: `unknown` while it cannot be looked up, or has not been.
                     * @enum {string}
                     */
                    state: "published" | "missing" | "unknown";
                };
                /** @description The last one that came by mail. */
                last?: {
                    reporter: string;
                    sender: components["schemas"]["ReportSender"];
                    /** Format: date-time */
                    receivedAt: string;
                };
            };
            tls: {
                record: {
                    name: string;
                    /** @description What to publish as TXT; empty where nothing can be recommended. */
                    value: string;
                    /**
                     * @description Whether the DNS has the address: `unknown` while it cannot be looked up, or has not been.
                     * @enum {string}
                     */
                    state: "published" | "missing" | "unknown";
                };
                /** @description The last one that came by mail. */
                last?: {
                    reporter: string;
                    sender: components["schemas"]["ReportSender"];
                    /** Format: date-time */
                    receivedAt: string;
                };
            };
            /**
             * Format: int32
             * @description Mails to the address that have not been read yet.
             */
            waiting: number;
            /**
             * Format: int32
             * @description Mails to the address in the last 30 days that were not taken; at most 1,000 are counted.
             */
            refused: number;
            lastRefused?: {
                from: string;
                /** Format: date-time */
                receivedAt: string;
                /**
                 * @description `no_report` or `several_reports` in the mail; an `archive` that is damaged or packed twice; `too_large`; `malformed`; about an `other_domain` or `other_period`; `no_registration` of the domain when it came.
                 * @enum {string}
                 */
                reason: "too_large" | "archive" | "no_report" | "several_reports" | "malformed" | "other_domain" | "other_period" | "no_registration";
            };
        };
        ReportSender: {
            /** @description The address in its From field. */
            address: string;
            /** @description IP address of the server that handed it over. */
            client: string;
            /** @description pass, fail, softfail, neutral, none, temperror, permerror or policy (RFC 8601). */
            dkim: string;
            /** @description pass, fail, softfail, neutral, none, temperror, permerror or policy (RFC 8601). */
            spf: string;
            /** @description pass, fail, softfail, neutral, none, temperror, permerror or policy (RFC 8601). */
            dmarc: string;
        };
        RequestDetail: {
            /** @example use_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /**
             * @description Additive: the `X-Request-Id` of the response, and the `requestId` of its problem.
             * @example req_01k9q3f7c2e8m9v4x6y8z0a1b3
             */
            requestId?: string;
            /** @example key_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            keyId: string;
            method: string;
            /** @description The template of the path; never its values or the query. */
            route: string;
            /** Format: int32 */
            statusCode: number;
            /** Format: int64 */
            durationMs?: number;
            ip?: string;
            /** @description Additive: the `code` of the problem that answered the request; absent if it succeeded. */
            problemCode?: string;
            /**
             * @description Additive: what the header `Mailroom-Notice` of the response said. `idempotency_key_unread` and `idempotency_unsupported`: the request had the header `Idempotency-Key`, which is not read.
             * @enum {string}
             */
            notice?: "idempotency_key_unread" | "idempotency_unsupported";
            /** Format: date-time */
            ts: string;
            keyName?: string;
            /** @description The `detail` of the problem. */
            problemDetail?: string;
            /** @description The first 10 `errors` of the problem. */
            problemFields?: {
                pointer: string;
                detail: string;
            }[];
            /** @description The header `User-Agent`, at most 300 characters of it. */
            userAgent?: string;
            /** @description The `idempotencyKey` of the body, at most 256 characters of it. */
            idempotencyKey?: string;
            /** @description Ids of what the request made, at most 100; if it made nothing, the id in its path. */
            objectIds: string[];
        };
        RequestPage: {
            cursor: components["schemas"]["CursorInfo"];
            data: components["schemas"]["RequestRecord"][];
        };
        RequestRecord: {
            /** @example use_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /**
             * @description Additive: the `X-Request-Id` of the response, and the `requestId` of its problem.
             * @example req_01k9q3f7c2e8m9v4x6y8z0a1b3
             */
            requestId?: string;
            /** @example key_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            keyId: string;
            method: string;
            /** @description The template of the path; never its values or the query. */
            route: string;
            /** Format: int32 */
            statusCode: number;
            /** Format: int64 */
            durationMs?: number;
            ip?: string;
            /** @description Additive: the `code` of the problem that answered the request; absent if it succeeded. */
            problemCode?: string;
            /**
             * @description Additive: what the header `Mailroom-Notice` of the response said. `idempotency_key_unread` and `idempotency_unsupported`: the request had the header `Idempotency-Key`, which is not read.
             * @enum {string}
             */
            notice?: "idempotency_key_unread" | "idempotency_unsupported";
            /** Format: date-time */
            ts: string;
            keyName?: string;
        };
        RescheduleEmailRequest: {
            /** @description ISO 8601 with its offset, 30 seconds to 30 days ahead. */
            scheduledAt: string;
        };
        ReturnedMail: {
            /** @example inb_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @description The recipient whose delivery it is about. */
            recipient?: string;
            /** Format: date-time */
            receivedAt: string;
            /** @description The address in its From field; the return path where it has none, empty for bounces. */
            from: string;
            subject?: string;
            /**
             * Format: int32
             * @description Octets.
             */
            size: number;
            /** @description What it was read as: `delivery_status`, `feedback`, `unsubscribe`, `report`, `automatic_answer`, `personal` or `unreadable`. Absent until it has been read. */
            kind?: string;
            /** @description What it did: `bounced`, `delivered`, `delayed`, `complained`, `unsubscribed`, `noted` (a timeline entry alone) or `repeated` (it says what was known). Absent until it has been read. */
            outcome?: string;
            /** @description How the delivery was found: `verp` (the return path), `ref` (X-Mailroom-Ref), `unsubscribe_token` or `recipient`. */
            matchedBy?: string;
            reportingServer?: string;
            /** @description Of a feedback report (RFC 5965). */
            feedbackType?: string;
            /** @description What the report says of each recipient it names; at most 20. */
            recipients: components["schemas"]["ReturnedRecipient"][];
        };
        ReturnedMailList: {
            data: components["schemas"]["ReturnedMail"][];
        };
        ReturnedRecipient: {
            /** @description Whom the report names. */
            address?: string;
            /** @description `failed`, `delayed`, `delivered`, `relayed` or `expanded` (RFC 3464). */
            action: string;
            /** @description The enhanced status code that the report gives (RFC 3463). */
            status?: string;
            /**
             * Format: int32
             * @description Of the SMTP reply that the last server in the chain gave.
             */
            replyCode?: number;
            /** @description The enhanced status code of that reply, which is believed first. */
            replyStatus?: string;
            /** @description The words of that reply, else of the report. */
            reply?: string;
        };
        SandboxCopy: {
            /** @example msg_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            dkim: string;
            spf: string;
            dmarc: string;
        };
        SandboxMessage: {
            /** @example msg_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @example email_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            emailId: string;
            /** @description The From header as a reader sees it. */
            from: string;
            /** @description The recipient of the envelope. */
            to: string;
            subject?: string;
            /** @description pass, fail, softfail, neutral, none, temperror, permerror or policy. */
            dkim: string;
            /** @description pass, fail, softfail, neutral, none, temperror, permerror or policy. */
            spf: string;
            /** @description pass, fail, softfail, neutral, none, temperror, permerror or policy. */
            dmarc: string;
            /**
             * Format: int32
             * @description Octets.
             */
            size: number;
            /** Format: date-time */
            receivedAt: string;
        };
        SandboxMessageDetail: {
            /** @example msg_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @example email_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            emailId: string;
            /** @description The From header as a reader sees it. */
            from: string;
            /** @description The recipient of the envelope. */
            to: string;
            subject?: string;
            /** @description pass, fail, softfail, neutral, none, temperror, permerror or policy. */
            dkim: string;
            /** @description pass, fail, softfail, neutral, none, temperror, permerror or policy. */
            spf: string;
            /** @description pass, fail, softfail, neutral, none, temperror, permerror or policy. */
            dmarc: string;
            /**
             * Format: int32
             * @description Octets.
             */
            size: number;
            /** Format: date-time */
            receivedAt: string;
            /** @description The return path of the envelope. */
            mailFrom: string;
            /** @description Inline pictures (`cid:`) are embedded as data: URIs, up to 2 MiB. */
            html?: string;
            text?: string;
            headers: {
                name: string;
                value: string;
            }[];
            attachments: {
                filename: string;
                contentType: string;
                /** Format: int32 */
                size: number;
            }[];
            verdicts: components["schemas"]["SandboxVerdicts"];
            /** @description The message as it arrived (RFC 5322). */
            raw: string;
        };
        SandboxVerdicts: {
            dkim: {
                /** @description pass, fail, softfail, neutral, none, temperror, permerror or policy. */
                result: string;
                domain?: string;
                selector?: string;
                /** @description The line of Authentication-Results (RFC 8601). */
                info?: string;
            };
            spf: {
                /** @description pass, fail, softfail, neutral, none, temperror, permerror or policy. */
                result: string;
                domain?: string;
                /** @description The line of Authentication-Results (RFC 8601). */
                info?: string;
            };
            dmarc: {
                /** @description pass, fail, softfail, neutral, none, temperror, permerror or policy. */
                result: string;
                domain?: string;
                policy?: string;
                /** @description The line of Authentication-Results (RFC 8601). */
                info?: string;
            };
        };
        SegmentCondition: {
            /** @enum {string} */
            field: "email" | "firstName" | "lastName" | "phone";
            /** @enum {string} */
            operator: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "ends_with" | "is_set" | "is_not_set";
            /** @description Compared without regard to case. */
            value?: string;
        } | {
            /** @enum {string} */
            field: "createdAt" | "updatedAt";
            /** @enum {string} */
            operator: "before" | "after" | "within_days" | "not_within_days";
            /**
             * Format: date-time
             * @description For `before` and `after`.
             */
            value?: string;
            /**
             * Format: int32
             * @description For conditions on the last days.
             */
            days?: number;
        } | {
            /** @constant */
            field: "unsubscribed";
            /** @constant */
            operator: "is";
            value: boolean;
        } | {
            /** @constant */
            field: "validationStatus";
            /** @enum {string} */
            operator: "is" | "is_not";
            /** @enum {string} */
            value: "valid" | "risky" | "invalid" | "unknown";
        } | {
            /** @constant */
            field: "engagementTier";
            /** @enum {string} */
            operator: "is" | "is_not";
            /** @enum {string} */
            value: "new" | "cold" | "cool" | "warm" | "hot";
        } | {
            /** @constant */
            field: "property";
            /** @description Key of a contact property of the project. When it is deleted, a filter that names it matches nobody until it is changed. */
            key: string;
            /** @enum {string} */
            operator: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "ends_with" | "greater_than" | "at_least" | "less_than" | "at_most" | "before" | "after" | "within_days" | "not_within_days" | "is_set" | "is_not_set";
            /** @description Of the property's type; a date is text such as `2026-03-31`. */
            value?: string | number | boolean;
            /**
             * Format: int32
             * @description For conditions on the last days, which end today (UTC).
             */
            days?: number;
        } | {
            /** @constant */
            field: "topic";
            /** @description A `top_` id of the project. When it is deleted, a filter that names it matches nobody until it is changed. */
            topicId: string;
            /** @enum {string} */
            operator: "is" | "is_not";
            /**
             * @description The effective subscription: the contact's own, or else the topic's default.
             * @enum {string}
             */
            value: "opt_in" | "opt_out";
        } | {
            /** @constant */
            field: "segment";
            /** @description A `seg_` id of the project, whose members count, however they joined. When it is deleted, a filter that names it matches nobody until it is changed. At most 5 segments may name each other in a row, and none itself. */
            segmentId: string;
            /** @enum {string} */
            operator: "in" | "not_in";
        } | {
            /** @constant */
            field: "engagement";
            /**
             * @description Opens and clicks by machines do not count.
             * @enum {string}
             */
            event: "sent" | "delivered" | "opened" | "clicked" | "bounced";
            /** @enum {string} */
            operator: "within_days" | "not_within_days";
            /** Format: int32 */
            days: number;
        };
        SegmentConditionResponse: {
            /** @enum {string} */
            field: "email" | "firstName" | "lastName" | "phone";
            /** @enum {string} */
            operator: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "ends_with" | "is_set" | "is_not_set";
            /** @description Compared without regard to case. */
            value?: string;
        } | {
            /** @enum {string} */
            field: "createdAt" | "updatedAt";
            /** @enum {string} */
            operator: "before" | "after" | "within_days" | "not_within_days";
            /**
             * Format: date-time
             * @description For `before` and `after`.
             */
            value?: string;
            /**
             * Format: int32
             * @description For conditions on the last days.
             */
            days?: number;
        } | {
            /** @constant */
            field: "unsubscribed";
            /** @constant */
            operator: "is";
            value: boolean;
        } | {
            /** @constant */
            field: "validationStatus";
            /** @enum {string} */
            operator: "is" | "is_not";
            /** @enum {string} */
            value: "valid" | "risky" | "invalid" | "unknown";
        } | {
            /** @constant */
            field: "engagementTier";
            /** @enum {string} */
            operator: "is" | "is_not";
            /** @enum {string} */
            value: "new" | "cold" | "cool" | "warm" | "hot";
        } | {
            /** @constant */
            field: "property";
            /** @description Key of a contact property of the project. When it is deleted, a filter that names it matches nobody until it is changed. */
            key: string;
            /** @enum {string} */
            operator: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "ends_with" | "greater_than" | "at_least" | "less_than" | "at_most" | "before" | "after" | "within_days" | "not_within_days" | "is_set" | "is_not_set";
            /** @description Of the property's type; a date is text such as `2026-03-31`. */
            value?: string | number | boolean;
            /**
             * Format: int32
             * @description For conditions on the last days, which end today (UTC).
             */
            days?: number;
        } | {
            /** @constant */
            field: "topic";
            /** @description A `top_` id of the project. When it is deleted, a filter that names it matches nobody until it is changed. */
            topicId: string;
            /** @enum {string} */
            operator: "is" | "is_not";
            /**
             * @description The effective subscription: the contact's own, or else the topic's default.
             * @enum {string}
             */
            value: "opt_in" | "opt_out";
        } | {
            /** @constant */
            field: "segment";
            /** @description A `seg_` id of the project, whose members count, however they joined. When it is deleted, a filter that names it matches nobody until it is changed. At most 5 segments may name each other in a row, and none itself. */
            segmentId: string;
            /** @enum {string} */
            operator: "in" | "not_in";
        } | {
            /** @constant */
            field: "engagement";
            /**
             * @description Opens and clicks by machines do not count.
             * @enum {string}
             */
            event: "sent" | "delivered" | "opened" | "clicked" | "bounced";
            /** @enum {string} */
            operator: "within_days" | "not_within_days";
            /** Format: int32 */
            days: number;
        };
        SegmentContactResponse: {
            /** @example con_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            contactId: string;
            email: string;
            segments: string[];
            firstName?: string;
            lastName?: string;
        };
        SegmentExplanationResponse: {
            /** @example con_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            contactId: string;
            email: string;
            /** @description Whether the contact matches the filter or is a member. */
            matches: boolean;
            sendable: boolean;
            /**
             * @description Why a send would exclude it if it were a member.
             * @enum {string}
             */
            excluded?: "unsubscribed" | "suppressed" | "no_opt_in";
            /**
             * @description How it became a member, or `removed` manually.
             * @enum {string}
             */
            origin?: "filter" | "added" | "removed";
            /** @description Each condition of the filter with its JSON Pointer. */
            conditions: {
                pointer: string;
                condition: components["schemas"]["SegmentConditionResponse"];
                matches: boolean;
            }[];
        };
        /**
         * @example {
         *       "all": [
         *         {
         *           "field": "email",
         *           "operator": "ends_with",
         *           "value": "@lovelace.example"
         *         }
         *       ]
         *     }
         */
        SegmentFilter: {
            /** @description All of these conditions are true. */
            all?: (components["schemas"]["SegmentFilter"] | components["schemas"]["SegmentCondition"])[];
            /** @description At least one of these conditions is true. */
            any?: (components["schemas"]["SegmentFilter"] | components["schemas"]["SegmentCondition"])[];
            /** @description None of these conditions is true. */
            none?: (components["schemas"]["SegmentFilter"] | components["schemas"]["SegmentCondition"])[];
        };
        /**
         * @example {
         *       "all": [
         *         {
         *           "field": "email",
         *           "operator": "ends_with",
         *           "value": "@lovelace.example"
         *         }
         *       ]
         *     }
         */
        SegmentFilterResponse: {
            /** @description All of these conditions are true. */
            all?: (components["schemas"]["SegmentFilterResponse"] | components["schemas"]["SegmentConditionResponse"])[];
            /** @description At least one of these conditions is true. */
            any?: (components["schemas"]["SegmentFilterResponse"] | components["schemas"]["SegmentConditionResponse"])[];
            /** @description None of these conditions is true. */
            none?: (components["schemas"]["SegmentFilterResponse"] | components["schemas"]["SegmentConditionResponse"])[];
        };
        SegmentPreviewResponse: {
            /**
             * Format: int32
             * @description Contacts found among those scanned.
             */
            count: number;
            /** @description Whether all contacts were scanned; otherwise the scan ended after 2 seconds. */
            exact: boolean;
            /**
             * Format: int32
             * @description The count, extrapolated to all contacts if not all were scanned.
             */
            estimate: number;
            /** Format: int32 */
            scanned: number;
            sample: {
                /** @example con_01k9q3f7c2e8m9v4x6y8z0a1b3 */
                contactId: string;
                email: string;
                firstName?: string;
                lastName?: string;
            }[];
            /**
             * Format: int32
             * @description Of the count, contacts that a send would reach.
             */
            sendable: number;
            /** @description Of the count, contacts that a send would exclude, each by the first reason that applies. */
            excluded: {
                /** @enum {string} */
                reason: "unsubscribed" | "suppressed" | "no_opt_in";
                /** Format: int32 */
                count: number;
                /** @description Up to 5 addresses. */
                sample: string[];
            }[];
            contact?: components["schemas"]["SegmentExplanationResponse"];
        };
        SegmentRef: {
            id: string;
        };
        SegmentResponse: {
            /** @example seg_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @constant */
            object: "segment";
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId: string;
            name: string;
            /**
             * Format: int32
             * @description Members.
             */
            contactCount: number;
            /**
             * Format: int32
             * @description Members that are unsubscribed from everything.
             */
            unsubscribedCount: number;
            /** @description Additive: contacts that match are members, besides those added manually. */
            filter?: components["schemas"]["SegmentFilterResponse"];
            /** @description Additive: while members are computed in the background, its own or those of a segment that its filter names, how many contacts have been evaluated. */
            building?: {
                /** Format: int32 */
                done: number;
                /** Format: int32 */
                total: number;
            };
            /** Format: date-time */
            createdAt: string;
        };
        SendEmailRequest: {
            /** @description An address on a verified domain of the project, with or without a display name. */
            from: string;
            /** @description Addresses (a bare string is also accepted), or exactly one `top_` or `seg_` id. */
            to: string | string[];
            /** @description Addresses (a bare string is also accepted). */
            cc?: string | string[];
            /** @description Addresses (a bare string is also accepted). */
            bcc?: string | string[];
            replyTo?: string;
            /** @description With `template`, left out or empty. */
            subject: string;
            /** @description `html`, `text` or both. Empty, or white space alone, counts as absent. */
            html?: string;
            /** @description `html`, `text` or both. Empty, or white space alone, counts as absent. */
            text?: string;
            attachments?: components["schemas"]["AttachmentRequest"][];
            /** @description Additive: further headers. Headers that the service sets and those that give orders to a mail service on the way (`X-SES-…`, `X-SMTPAPI`) are refused, as are two whose names differ only in upper and lower case. `List-…` and `Archived-At` hold URIs in angle brackets, `Disposition-Notification-To` and `Return-Receipt-To` addresses. `List-Unsubscribe` and `List-Unsubscribe-Post` are allowed if the service does not set them. */
            headers?: {
                [key: string]: string;
            };
            idempotencyKey?: string;
            tags?: {
                [key: string]: string;
            };
            metadata?: {
                [key: string]: string;
            };
            /** @description Additive: the topic that this email belongs to. */
            topicId?: string;
            /**
             * @default transactional
             * @enum {string}
             */
            sendTimeCategory?: "transactional" | "marketing" | "notification" | "digest";
            /** @description ISO 8601, 30 seconds to 30 days ahead; or `optimal`: within `deliveryWindow`, at the hour of the day in which the recipient has opened most email, according to open tracking. Without such an hour, it is sent as early as the window allows. Transactional email never waits. */
            scheduledAt?: string;
            /** @description Required with `optimal`, unless the email is transactional. */
            deliveryWindow?: components["schemas"]["DeliveryWindowRequest"];
            trackingSettings?: components["schemas"]["TrackingSettingsRequest"];
            /**
             * @description Runs everything except delivery; costs no quota.
             * @default false
             */
            testMode?: boolean;
            /**
             * Format: int32
             * @description Additive: seconds without success after which the email is `failed`.
             */
            giveUpAfterSeconds?: number;
            /** @description Additive: a published template, by its id or name, that gives subject, html and text. One that shows fields of the contact goes to one address at a time. */
            template?: components["schemas"]["TemplateReference"];
            /**
             * @description Additive: what the connection to each recipient's server has to be, in regions that send directly: `opportunistic` (encrypted where the server offers it), `required` (encrypted), or `verified` (with a certificate for the server, of a known authority or one that its DNS names). Else the email waits. By default as in the settings of the project. A relay decides for itself.
             * @enum {string}
             */
            tls?: "opportunistic" | "required" | "verified";
        };
        SendEmailResponse: {
            /** @example email_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            status: string;
            messageId?: string;
            /** Format: date-time */
            scheduledAt?: string;
            /** Format: date-time */
            createdAt: string;
            audienceId?: string;
            /** @description One per recipient, if the request created several messages. */
            messages?: components["schemas"]["BatchSendItemResponse"][];
        };
        ServerDiagnosis: {
            /** @description Address and port. */
            server: string;
            /** @description The name server's name, if it is one of the zone's. */
            name?: string;
            /**
             * @description `unknown`: the lookup failed, so the state is not known.
             * @enum {string}
             */
            outcome: "valid" | "invalid" | "missing" | "unknown";
            /** @description What was found at the name, as text; an MX record as priority and host. */
            found: string[];
            likelyCause?: components["schemas"]["DnsLikelyCause"];
            /** @description Why there was no answer: `timeout`, `refused`, `server-failure` … */
            reason?: string;
        };
        SetImageUrlBody: {
            /**
             * Format: uri
             * @description Absolute, https. It is never fetched.
             */
            url: string;
        };
        StreamEvent: {
            /**
             * @description Additive: pass it as `after` to resume from here.
             * @example evt_01k9q3f7c2e8m9v4x6y8z0a1b3
             */
            id: string;
            /** @enum {string} */
            type: "sent" | "delivered" | "bounced" | "complained" | "opened" | "clicked" | "unsubscribed";
            /** @example email_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            emailId: string;
            /** Format: date-time */
            occurredAt: string;
            data: {
                [key: string]: string;
            };
        };
        StreamTokenResponse: {
            token: string;
            /** Format: date-time */
            expiresAt: string;
        };
        SuppressionImportBody: {
            suppressions: components["schemas"]["SuppressionImportRowSerializable"][];
            /**
             * @description Additive: counts and reports, but changes nothing.
             * @default false
             */
            dryRun?: boolean;
        };
        SuppressionImportResponse: {
            /**
             * Format: int32
             * @description Addresses added.
             */
            imported: number;
            /**
             * Format: int32
             * @description Rows that were invalid or repeated, or whose address was already suppressed.
             */
            skipped: number;
            /**
             * Format: int32
             * @description Additive: how many of the skipped rows were invalid.
             */
            invalid?: number;
            /** @description Additive: true if nothing was changed. */
            dryRun?: boolean;
            /** @description Additive: the first 1,000 invalid rows. */
            errors?: {
                /**
                 * Format: int32
                 * @description Position of the row, from 0.
                 */
                row: number;
                email: string;
                detail: string;
            }[];
        };
        SuppressionImportRowSerializable: {
            /** Format: email */
            email: string;
            /**
             * @default manual
             * @enum {string}
             */
            reason?: "bounce" | "manual" | "unsubscribe" | "complaint";
        };
        SuppressionResponse: {
            /** @example sup_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId: string;
            /** @description In canonical form: lower case, the domain as A-labels. */
            email: string;
            /** @description `bounce`, `complaint`, `manual` or `unsubscribe`. */
            reason: string;
            /**
             * @description The contact with this address, if there is one.
             * @example con_01k9q3f7c2e8m9v4x6y8z0a1b3
             */
            contactId?: string;
            /**
             * @description Additive: the email that led to it.
             * @example email_01k9q3f7c2e8m9v4x6y8z0a1b3
             */
            emailId?: string;
            /**
             * @description Additive: the event that led to it; it is in the timeline of the email.
             * @example evt_01k9q3f7c2e8m9v4x6y8z0a1b3
             */
            eventId?: string;
            /** @description Additive: the evidence, such as the response of the recipient's server. */
            evidence?: string;
            /** Format: date-time */
            createdAt: string;
        };
        TemplatePreviewResponse: {
            subject: string;
            html?: string;
            text?: string;
        };
        TemplateReference: {
            id?: string;
            name?: string;
            /** @description A value for each variable without a fallback. */
            variables?: {
                [key: string]: string | number;
            };
        };
        TemplateResponse: {
            /** @example tpl_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId: string;
            name: string;
            subject: string;
            html?: string;
            text?: string;
            variables: components["schemas"]["TemplateVariableResponse"][];
            /**
             * Format: int32
             * @description The published version, which sends use; 0 for none yet.
             */
            version: number;
            /** @description Whether the template differs from its published version. */
            isChanged: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        TemplateVariable: {
            name: string;
            /**
             * @description `number` is decimal text, such as `42` or `-1.5`; `url` is an http, https, mailto or tel URL.
             * @default string
             * @enum {string}
             */
            type?: "string" | "number" | "url";
            /** @description Used where a send gives no value. Without it, the variable is required. */
            fallback?: string;
        };
        TemplateVariableResponse: {
            name: string;
            /**
             * @description `number` is decimal text, such as `42` or `-1.5`; `url` is an http, https, mailto or tel URL.
             * @default string
             * @enum {string}
             */
            type?: "string" | "number" | "url";
            /** @description Used where a send gives no value. Without it, the variable is required. */
            fallback?: string;
        };
        TemplateVersionResponse: {
            /** Format: int32 */
            version: number;
            subject: string;
            html?: string;
            text?: string;
            variables: components["schemas"]["TemplateVariableResponse"][];
            /**
             * Format: date-time
             * @description When it was published.
             */
            createdAt: string;
        };
        TlsReport: {
            /** @example tlr_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @description The sender of mail that wrote the report, such as `Google Inc.`. */
            reporter: string;
            /** @description The reporter's id of the report. */
            reportId: string;
            /** @description Where the reporter can be asked about it. */
            contact?: string;
            /** Format: date-time */
            beganAt: string;
            /** Format: date-time */
            endedAt: string;
            /**
             * Format: int64
             * @description Sessions with TLS as the policy demands.
             */
            succeeded: number;
            /**
             * Format: int64
             * @description Sessions without.
             */
            failed: number;
            /**
             * @description How it came.
             * @enum {string}
             */
            source: "upload" | "mail";
            /** @description Whose mail carried it; absent for an upload. */
            sender?: components["schemas"]["ReportSender"];
            /**
             * Format: date-time
             * @description When it came.
             */
            createdAt: string;
        };
        TlsReportPage: {
            cursor: components["schemas"]["CursorInfo"];
            data: components["schemas"]["TlsReport"][];
        };
        TlsSummary: {
            domain: string;
            /** @description The first of the 30 days, in UTC. */
            from: string;
            /**
             * Format: int32
             * @description Reports in the 30 days, like everything below.
             */
            reports: number;
            /** Format: int32 */
            reporters: number;
            /**
             * Format: int64
             * @description Sessions with TLS as the policy demands.
             */
            succeeded: number;
            /**
             * Format: int64
             * @description Sessions without.
             */
            failed: number;
            /** @description At most 100, the largest first. */
            failures: {
                /** @description RFC 8460 section 4.3, such as `certificate-expired`. */
                result: string;
                /** @description The policy that was applied: `sts`, `tlsa`, `no-policy-found` or `other`. */
                policyType: string;
                /** @description The mail server at which it failed, where the report names it. */
                host?: string;
                /** Format: int64 */
                sessions: number;
            }[];
            /** @description Days with reports, oldest first. */
            timeline: {
                /** @description A day in UTC, such as 2026-11-20. */
                day: string;
                /**
                 * Format: int64
                 * @description Sessions with TLS as the policy demands.
                 */
                succeeded: number;
                /**
                 * Format: int64
                 * @description Sessions without.
                 */
                failed: number;
            }[];
        };
        TopicContactResponse: {
            /** @example con_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            contactId: string;
            email: string;
            firstName?: string;
            lastName?: string;
            /**
             * Format: date-time
             * @description Additive: when the contact's own preference last changed.
             */
            since?: string;
        };
        TopicPerformanceResponse: {
            /** @example top_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            topicId: string;
            topicName: string;
            window: components["schemas"]["MetricsWindowResponse"];
            /**
             * Format: int32
             * @description Deliveries that ended with an SMTP response, one per recipient.
             */
            totalEmails: number;
            /** Format: int32 */
            delivered: number;
            /**
             * Format: int32
             * @description Hard bounces.
             */
            bounced: number;
            /** Format: int32 */
            complained: number;
            /**
             * Format: int32
             * @description Recipients that opened; opens by machines are excluded.
             */
            opened: number;
            /**
             * Format: int32
             * @description Recipients that clicked; clicks by machines are excluded.
             */
            clicked: number;
            /** Format: int32 */
            unsubscribed: number;
            /** Format: int32 */
            readEngaged: number;
            /**
             * Format: double
             * @description As a share of totalEmails.
             */
            deliveryRate: number;
            /**
             * Format: double
             * @description As a share of totalEmails.
             */
            bounceRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            openRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            clickRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            complaintRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            readEngagementRate: number;
            /**
             * Format: double
             * @description As a share of delivered, or of sent where `deliveryReported` is false.
             */
            unsubscribeRate: number;
            /** @description Additive: false if some of this was accepted by a relay that reports nothing further. Rates of delivered are of sent then. */
            deliveryReported?: boolean;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted that reports nothing further. The rest of sent was delivered, bounced, is known to have failed otherwise, or awaits its report.
             */
            deliveryNotReported?: number;
            /**
             * Format: int32
             * @description Additive: of sent, what a relay accepted whose report of delivery has not come yet.
             */
            awaitingReport?: number;
            /**
             * Format: double
             * @description Absent if reading is not tracked.
             */
            avgReadTimeSeconds?: number;
            /**
             * Format: int64
             * @description Contacts that opted in themselves, as of now.
             */
            optInCount: number;
            /**
             * Format: int64
             * @description Contacts that opted out themselves, as of now.
             */
            optOutCount: number;
            /** Format: date-time */
            computedAt: string;
        };
        TopicResponse: {
            /** @example top_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @constant */
            object: "topic";
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId: string;
            name: string;
            description?: string;
            /** @description `opt_in` or `opt_out`: the state of contacts without a preference of their own. */
            defaultSubscription: string;
            /** @description `public` topics are shown on the preference page. */
            visibility: string;
            /**
             * Format: int32
             * @description Contacts that have opted in themselves.
             */
            optInCount: number;
            /**
             * Format: int32
             * @description Contacts that have opted out themselves.
             */
            optOutCount: number;
            /**
             * Format: int32
             * @description Additive: the effective audience, contacts subscribed by their own preference or by the default.
             */
            effectiveCount?: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        TopicSubscriptionBody: {
            id: string;
            /** @enum {string} */
            subscription: "opt_in" | "opt_out";
        };
        TopicSubscriptionResponse: {
            /** @description `opt_in` or `opt_out`. */
            subscription: string;
            /** @example top_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            topicId: string;
        };
        TrackingSettingsRequest: {
            openTracking?: boolean;
            clickTracking?: boolean;
            readEngagement?: boolean;
            /** @description Whether email to a single recipient carries the unsubscribe headers and link: always with a topic or segment; otherwise by default if `sendTimeCategory` is not `transactional`. The project's setting does not count. */
            unsubscribeTracking?: boolean;
        };
        TrackingSettingsRequestResponse: {
            openTracking?: boolean;
            clickTracking?: boolean;
            readEngagement?: boolean;
            /** @description Whether email to a single recipient carries the unsubscribe headers and link: always with a topic or segment; otherwise by default if `sendTimeCategory` is not `transactional`. The project's setting does not count. */
            unsubscribeTracking?: boolean;
        };
        UpdateBimiRequest: {
            /** @description An https URL of an SVG Tiny PS. Null removes the logo and its certificate. */
            logoUrl?: string | null;
            /** @description An https URL of the mark certificate (VMC or CMC) as PEM. Null removes it. */
            vmcUrl?: string | null;
        };
        UpdateBroadcastRequest: {
            /** @description An address on a verified domain of the project, with or without a display name. */
            from?: string;
            /** @description Up to 50 ids of segments (`seg_`), topics (`top_`) and contacts (`con_`), and addresses: everyone in any of them gets the email once. A bare string is also accepted. */
            to?: string | string[];
            replyTo?: string | null;
            subject?: string;
            html?: string | null;
            text?: string | null;
            attachments?: components["schemas"]["AttachmentRequest"][] | null;
            headers?: {
                [key: string]: string;
            } | null;
            tags?: {
                [key: string]: string;
            } | null;
            metadata?: {
                [key: string]: string;
            } | null;
            topicId?: string | null;
            /** @enum {string} */
            sendTimeCategory?: "transactional" | "marketing" | "notification" | "digest";
            trackingSettings?: components["schemas"]["TrackingSettingsRequest"] | null;
            testMode?: boolean;
            giveUpAfterSeconds?: number | null;
            /** @description Gives subject, html and text anew, from the version that is published now. `null` keeps them as they are, for a contact of whom nothing is known, to be changed by themselves. */
            template?: components["schemas"]["TemplateReference"] | null;
            /** @description Whether `{{contact.firstName | there}}` in subject, html and text shows a field of each recipient (`email`, `firstName`, `lastName`, `phone`) or a contact property, with a fallback for those who have no value. As in templates; one without a fallback shows nothing to them. Otherwise it is sent as it is written. */
            placeholders?: boolean;
            /** @description `null` makes a scheduled broadcast a draft again. */
            scheduledAt?: string | null;
            /**
             * Format: date-time
             * @description The `updatedAt` that the change builds on. If somebody has changed the broadcast since, it is refused.
             */
            unchangedSince?: string;
        };
        UpdateContactBody: {
            /** @description `null` clears it. */
            firstName?: string | null;
            /** @description `null` clears it. */
            lastName?: string | null;
            /** @description `null` clears it. */
            phone?: string | null;
            /** @description Replaces the whole map. */
            properties?: {
                [key: string]: string;
            };
            /** @description Additive: sets these values, clears those that are `null`, and leaves all others unchanged. Cannot be combined with `properties`. */
            propertyChanges?: {
                [key: string]: string | null;
            };
            /** @description Unchanged if omitted. */
            unsubscribed?: boolean;
        };
        UpdateContactPropertyBody: {
            /** @description `null` clears it. */
            fallbackValue?: string | null;
        };
        UpdateDomainRequest: {
            /** @description Under the domain. No other records may exist at this name. */
            mailFromDomain?: string;
            /** @description Under the domain. */
            trackingDomain?: string;
        };
        UpdateInboundRouteBody: {
            /** @description The part of the address before the @; `prefix+*` for all that begin with the prefix and a plus; `*` for all addresses of the domain. The address itself comes before the longest prefix, and that before `*`. Upper and lower case are alike. */
            match?: string;
            /** @description Null for none. */
            webhookId?: string | null;
            /**
             * Format: int32
             * @description Days for which email is kept, 1 to 365. A change holds for email that arrives later.
             */
            keepDays?: number;
        };
        UpdateProjectRequest: {
            name?: string;
            slug?: string;
            /** @description Replaced whole; each up to the operator's ceiling. */
            limits?: components["schemas"]["ProjectLimitsModel"];
            /** @description Replaced whole. */
            trackingSettings?: components["schemas"]["ProjectTrackingSettingsModel"];
            /** @description Additive: omitted fields stay, `null` clears. */
            branding?: components["schemas"]["ProjectBranding"];
            /**
             * @description Additive: the `tls` of emails whose request does not say it; `opportunistic` at first.
             * @enum {string}
             */
            tls?: "opportunistic" | "required" | "verified";
        };
        UpdateSegmentBody: {
            name?: string;
            /** @description `null` removes it: members by the filter leave, manually added ones stay. */
            filter?: components["schemas"]["SegmentFilter"] | null;
        };
        UpdateTemplateRequest: {
            name?: string;
            subject?: string;
            /** @description Empty removes it. */
            html?: string;
            /** @description Empty removes it. */
            text?: string;
            variables?: components["schemas"]["TemplateVariable"][];
        };
        UpdateTopicBody: {
            name?: string;
            description?: string;
            /** @enum {string} */
            visibility?: "public" | "private";
        };
        UpdateTopicsBody: {
            topics: components["schemas"]["TopicSubscriptionBody"][];
        };
        UpdateWebhookBody: {
            /** Format: uri */
            url?: string;
            /** @description Replaces the list. */
            events?: ("email.sent" | "email.delivered" | "email.bounced" | "email.complained" | "email.opened" | "email.clicked" | "email.failed" | "email.rejected" | "email.delivery_delayed" | "email.suppressed" | "email.unsubscribed" | "email.read_engaged" | "webhook.test" | "contact.created" | "contact.updated" | "contact.deleted" | "domain.created" | "domain.verified" | "domain.degraded" | "domain.failed" | "domain.deleted" | "suppression.added" | "suppression.removed" | "email.received")[];
            name?: string;
            /** @description Only events that pass all filters are delivered. Values are compared as text, before the transformations. */
            filters?: components["schemas"]["WebhookFilterSerializable"][];
            /** @description Applied in order, after the filters. An event may become 256 KiB large, a value in a template 64 KiB, and all of it may take 20 ms; otherwise the delivery fails and says why. */
            transformations?: components["schemas"]["WebhookTransformationSerializable"][];
            /** @description Rotates the secret: deliveries are also signed with the previous one for 24 hours. As for a new webhook, 24 to 64 printable characters, used as `whsec_` and their base64, or that form. */
            secret?: string;
            /** @description Whether new deliveries are attempted. Disabling cancels those that are waiting. */
            enabled?: boolean;
            /** @description Additive: null ends a rotation at once; the previous secret is no longer used. */
            formerSecretUntil?: null;
        };
        UploadedDmarcReports: {
            /** Format: int32 */
            accepted: number;
            /**
             * Format: int32
             * @description Reports that were uploaded or came by mail before.
             */
            duplicates: number;
            /** Format: int32 */
            refused: number;
            results: {
                /** @description Its name. */
                file: string;
                /** @enum {string} */
                status: "accepted" | "duplicate" | "refused";
                /** @description Why it was refused. */
                reason?: string;
                reporter?: string;
                reportId?: string;
                /** Format: int64 */
                messages?: number;
            }[];
        };
        UploadedTlsReports: {
            /** Format: int32 */
            accepted: number;
            /**
             * Format: int32
             * @description Reports that were uploaded or came by mail before.
             */
            duplicates: number;
            /** Format: int32 */
            refused: number;
            results: {
                /** @description Its name. */
                file: string;
                /** @enum {string} */
                status: "accepted" | "duplicate" | "refused";
                /** @description Why it was refused. */
                reason?: string;
                reporter?: string;
                reportId?: string;
                /** Format: int64 */
                succeeded?: number;
                /** Format: int64 */
                failed?: number;
            }[];
        };
        UpsertContactBody: {
            /**
             * Format: email
             * @description Unique in the project, permanent.
             */
            email: string;
            firstName?: string;
            lastName?: string;
            phone?: string;
            /**
             * @description Values as text, by the keys of declared properties; at most 50 KB.
             * @default {}
             */
            properties?: {
                [key: string]: string;
            };
            /**
             * @description Segments to add the contact to.
             * @default []
             */
            segments?: components["schemas"]["SegmentRef"][];
            /**
             * @description The contact's own preferences.
             * @default []
             */
            topics?: components["schemas"]["TopicSubscriptionBody"][];
            /** @description Unchanged if omitted. */
            unsubscribed?: boolean;
        };
        UsagePage: {
            /**
             * Format: int32
             * @description The limit of the page.
             */
            size: number;
            /**
             * Format: int32
             * @description Pages of this size in the window; counted up to a million records.
             */
            totalPages: number;
            hasMore: boolean;
        };
        ValidateLinksRequest: {
            /** @description The HTML of an email; without it there are no links. */
            html?: string;
        };
        ValidateLinksResponse: {
            /**
             * Format: int32
             * @description Links that nobody can follow.
             */
            brokenLinks: number;
            /**
             * Format: int32
             * @description Links whose server could not be reached, or may not be.
             */
            errorLinks: number;
            /** Format: int32 */
            totalLinks: number;
            links: components["schemas"]["LinkResultItem"][];
        };
        VerificationRecordsResponse: {
            /** @description The key in use, and a standby for the next rotation. */
            dkim: components["schemas"]["DkimRecordResponse"][];
            mailFromMx: components["schemas"]["DnsRecordResponse"];
            mailFromSpf: components["schemas"]["DnsRecordResponse"];
            /** @description The policy that is published, in valid syntax, with our report address added; `p=none` where there is none. */
            dmarcRecommended?: components["schemas"]["DnsRecordResponse"];
            /** @description Additive, instead of `dmarcRecommended`: the published record is not valid and the policy that it asks for cannot be read, so none is recommended. */
            dmarcUnreadable?: components["schemas"]["DnsUnreadableRecord"];
            bimi?: components["schemas"]["DnsRecordResponse"];
            trackingCname?: components["schemas"]["DnsRecordResponse"];
        };
        WaitingDestination: {
            /** @enum {string} */
            region: "us-east-1" | "eu-west-1" | "af-south-1" | "ap-southeast-1";
            /** @description The mailbox provider, else the first mail server. */
            name: string;
            /**
             * @description `flowing`; `slowed`: at most `pacePerMinute` emails a minute, since a server asked for it; `paused`: nothing is sent until `pausedUntil`; `trying`: the pause is over once one email is accepted.
             * @enum {string}
             */
            state: "flowing" | "slowed" | "paused" | "trying";
            /**
             * @description Why nothing is sent: no server could be reached (`away`), a server asked us to slow down and kept asking (`slow`), it refuses our address (`block`), the operator paused it (`operator`), or the sending address warms up (`warm_up`).
             * @enum {string}
             */
            pause?: "away" | "slow" | "block" | "operator" | "warm_up";
            /**
             * Format: date-time
             * @description When one email is tried again. Absent while paused: until the operator resumes it.
             */
            pausedUntil?: string;
            /**
             * Format: date-time
             * @description When the pause or the pace began.
             */
            limitedSince?: string;
            /**
             * Format: double
             * @description Emails a minute at most.
             */
            pacePerMinute?: number;
            /**
             * Format: int32
             * @description Emails of the project that wait, counted to 10,000.
             */
            waiting: number;
            /**
             * Format: date-time
             * @description When the one was accepted that is due first.
             */
            oldestAt?: string;
        };
        WaitingDestinationList: {
            data: components["schemas"]["WaitingDestination"][];
        };
        WebhookAttempt: {
            /**
             * Format: date-time
             * @description When it began.
             */
            at: string;
            /**
             * Format: int32
             * @description Until the response, or until the attempt was aborted.
             */
            durationMs: number;
            /**
             * Format: int32
             * @description If the endpoint answered.
             */
            statusCode?: number;
            /** @description Why it failed. */
            error?: string;
            /** @description Sent with the body; absent if the URL was refused before anything was signed. */
            requestHeaders?: {
                [key: string]: string;
            };
        };
        WebhookCreateResponse: {
            /** @example whk_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId: string;
            name: string;
            url: string;
            events: string[];
            filters?: components["schemas"]["WebhookFilterSerializableResponse"][];
            transformations?: components["schemas"]["WebhookTransformationSerializableResponse"][];
            /** @description Whether new deliveries are attempted. */
            enabled: boolean;
            /** @description Additive: `paused` by you, `gone` after the endpoint answered 410, `failing` after 5 days of failures. */
            disabledReason?: string;
            /**
             * Format: date-time
             * @description Additive: the first failed attempt since the last successful one.
             */
            failingSince?: string;
            /**
             * Format: date-time
             * @description Additive: until then, deliveries carry a second signature, made with the previous secret.
             */
            formerSecretUntil?: string;
            /** @description Additive: only when webhooks are read. */
            health?: components["schemas"]["WebhookHealth"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Shown only once. */
            secret: string;
        };
        WebhookDeliveryResponse: {
            /** @example whd_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId: string;
            /** @example whk_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            webhookEndpointId: string;
            /**
             * @description Additive: the `webhook-id` of every attempt, replays included.
             * @example evt_01k9q3f7c2e8m9v4x6y8z0a1b3
             */
            eventId?: string;
            eventType: string;
            /** @description `pending`, `processing`, `success`, `failed` or `cancelled`. */
            status: string;
            /**
             * Format: int32
             * @description Completed attempts.
             */
            attemptCount: number;
            /**
             * Format: int32
             * @description Status of the most recent attempt, if the endpoint responded.
             */
            lastStatusCode?: number;
            /** @description Why the most recent attempt failed. */
            lastError?: string;
            /** @description The beginning of the last response, at most 4 KiB. */
            responseBodySnippet?: string;
            /**
             * Format: date-time
             * @description When a pending delivery is attempted next.
             */
            nextAttemptAt?: string;
            /** @description Additive: the body that is signed and sent; only when a single delivery is read. */
            payload?: string;
            /** @description Additive: the completed attempts, oldest first; only when a single delivery is read. */
            attempts?: components["schemas"]["WebhookAttempt"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        WebhookFilterSerializable: {
            /** @description Dot path into the event, such as `data.to` or `type`. */
            field: string;
            /**
             * @description `neq` is also true if the field is missing.
             * @enum {string}
             */
            operator: "eq" | "neq" | "contains" | "exists";
            /** @description Omitted for `exists`. */
            value?: string;
        };
        WebhookFilterSerializableResponse: {
            /** @description Dot path into the event, such as `data.to` or `type`. */
            field: string;
            /**
             * @description `neq` is also true if the field is missing.
             * @enum {string}
             */
            operator: "eq" | "neq" | "contains" | "exists";
            /** @description Omitted for `exists`. */
            value?: string;
        };
        WebhookHealth: {
            /**
             * Format: int32
             * @description Deliveries of the last 24 hours that were attempted; tests are excluded from all figures.
             */
            attempted: number;
            /**
             * Format: int32
             * @description Of those, deliveries that the endpoint accepted.
             */
            succeeded: number;
            /**
             * Format: int32
             * @description Of those, deliveries accepted on a retry.
             */
            recovered: number;
            /**
             * Format: int32
             * @description Of those, deliveries that failed after the last attempt.
             */
            failed: number;
            /**
             * Format: int32
             * @description Deliveries that wait for a retry, at most 1001.
             */
            retrying: number;
            /**
             * Format: date-time
             * @description Time of the next of these retries.
             */
            nextAttemptAt?: string;
            /**
             * Format: date-time
             * @description Time of the last success among stored deliveries.
             */
            lastSuccessAt?: string;
            /**
             * Format: date-time
             * @description Time of the last failed attempt among stored deliveries.
             */
            lastFailureAt?: string;
        };
        WebhookHealthResponse: {
            /**
             * Format: int32
             * @description Deliveries of the last 24 hours that were attempted; tests are excluded from all figures.
             */
            attempted: number;
            /**
             * Format: int32
             * @description Of those, deliveries that the endpoint accepted.
             */
            succeeded: number;
            /**
             * Format: int32
             * @description Of those, deliveries accepted on a retry.
             */
            recovered: number;
            /**
             * Format: int32
             * @description Of those, deliveries that failed after the last attempt.
             */
            failed: number;
            /**
             * Format: int32
             * @description Deliveries that wait for a retry, at most 1001.
             */
            retrying: number;
            /**
             * Format: date-time
             * @description Time of the next of these retries.
             */
            nextAttemptAt?: string;
            /**
             * Format: date-time
             * @description Time of the last success among stored deliveries.
             */
            lastSuccessAt?: string;
            /**
             * Format: date-time
             * @description Time of the last failed attempt among stored deliveries.
             */
            lastFailureAt?: string;
            /** @description The current hour and the 23 before it, oldest first, without gaps. */
            hours: components["schemas"]["WebhookHour"][];
            /** @description Latency of the last 1,000 accepted deliveries. */
            latency?: components["schemas"]["WebhookLatency"];
        };
        WebhookHour: {
            /**
             * Format: date-time
             * @description When the hour begins, in UTC.
             */
            hour: string;
            /**
             * Format: int32
             * @description Deliveries of this hour whose first attempt succeeded.
             */
            firstSucceeded: number;
            /**
             * Format: int32
             * @description Deliveries of this hour whose first attempt failed.
             */
            firstFailed: number;
        };
        WebhookLatency: {
            /**
             * Format: int32
             * @description Number of deliveries measured.
             */
            sample: number;
            /**
             * Format: int32
             * @description Median response time.
             */
            p50Ms: number;
            /**
             * Format: int32
             * @description Response time of the 95th percentile.
             */
            p95Ms: number;
        };
        WebhookPreviewBody: {
            /** @description The types that the webhook would subscribe to. */
            events: ("email.sent" | "email.delivered" | "email.bounced" | "email.complained" | "email.opened" | "email.clicked" | "email.failed" | "email.rejected" | "email.delivery_delayed" | "email.suppressed" | "email.unsubscribed" | "email.read_engaged" | "webhook.test" | "contact.created" | "contact.updated" | "contact.deleted" | "domain.created" | "domain.verified" | "domain.degraded" | "domain.failed" | "domain.deleted" | "suppression.added" | "suppression.removed" | "email.received")[];
            /** @description Only events that pass all filters are delivered. Values are compared as text, before the transformations. */
            filters?: components["schemas"]["WebhookFilterSerializable"][];
            /** @description Applied in order, after the filters. An event may become 256 KiB large, a value in a template 64 KiB, and all of it may take 20 ms; otherwise the delivery fails and says why. */
            transformations?: components["schemas"]["WebhookTransformationSerializable"][];
        };
        WebhookPreviewResponse: {
            data: components["schemas"]["WebhookPreviewedEvent"][];
        };
        WebhookPreviewedEvent: {
            /** @example evt_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            eventId: string;
            type: string;
            /** Format: date-time */
            occurredAt: string;
            /** @description Whether the webhook would receive it. */
            delivered: boolean;
            /**
             * Format: int32
             * @description The position of the first filter that excludes it, from 0.
             */
            failingFilter?: number;
            /** @description The event before the transformations, as the filters see it. */
            payload: string;
            /** @description What would be signed and sent, byte for byte; empty where `failure` is given. */
            body: string;
            /** @description Why the event could not be sent: the transformations make it too large or take too long. */
            failure?: string;
        };
        WebhookReplayBody: {
            /**
             * Format: date-time
             * @description Deliveries that were created from this time on.
             */
            since: string;
            /**
             * Format: date-time
             * @description Up to this time; defaults to now.
             */
            until?: string;
            /**
             * @description `undelivered` replays the events that the endpoint has not accepted yet; `all` replays the others as well.
             * @default undelivered
             * @enum {string}
             */
            include?: "undelivered" | "all";
            /**
             * @description Only counts what would be replayed.
             * @default false
             */
            dryRun?: boolean;
        };
        WebhookReplayResponse: {
            /**
             * Format: int32
             * @description Events that are, or would be, replayed.
             */
            count: number;
        };
        WebhookResponse: {
            /** @example whk_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            id: string;
            /** @example proj_01k9q3f7c2e8m9v4x6y8z0a1b3 */
            projectId: string;
            name: string;
            url: string;
            events: string[];
            filters?: components["schemas"]["WebhookFilterSerializableResponse"][];
            transformations?: components["schemas"]["WebhookTransformationSerializableResponse"][];
            /** @description Whether new deliveries are attempted. */
            enabled: boolean;
            /** @description Additive: `paused` by you, `gone` after the endpoint answered 410, `failing` after 5 days of failures. */
            disabledReason?: string;
            /**
             * Format: date-time
             * @description Additive: the first failed attempt since the last successful one.
             */
            failingSince?: string;
            /**
             * Format: date-time
             * @description Additive: until then, deliveries carry a second signature, made with the previous secret.
             */
            formerSecretUntil?: string;
            /** @description Additive: only when webhooks are read. */
            health?: components["schemas"]["WebhookHealth"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /**
         * @example {
         *       "type": "add_field",
         *       "field": "data.source",
         *       "value": "mailroom"
         *     }
         */
        WebhookTransformationSerializable: {
            /** @enum {string} */
            type: "rename_field" | "add_field" | "remove_field" | "compute_field";
            /** @description The field that is added, removed or computed. */
            field?: string;
            /** @description The field that is renamed. */
            from?: string;
            /** @description Its new path. */
            to?: string;
            /** @description The computed text: each `{{path}}` is replaced by the field there. */
            template?: string;
            /** @description The value that is added; may be null. */
            value?: string | null;
        };
        /**
         * @example {
         *       "type": "add_field",
         *       "field": "data.source",
         *       "value": "mailroom"
         *     }
         */
        WebhookTransformationSerializableResponse: {
            /** @enum {string} */
            type: "rename_field" | "add_field" | "remove_field" | "compute_field";
            /** @description The field that is added, removed or computed. */
            field?: string;
            /** @description The field that is renamed. */
            from?: string;
            /** @description Its new path. */
            to?: string;
            /** @description The computed text: each `{{path}}` is replaced by the field there. */
            template?: string;
            /** @description The value that is added; may be null. */
            value?: string | null;
        };
    };
    responses: {
        /** @description Any operation can also return these. `request.invalid` (Invalid request), `request.not_found` (No such path), `request.method_not_allowed` (Method not allowed), `request.timeout` (Request timed out), `request.too_large` (Request too large), `request.unsupported_media_type` (Unsupported media type), `request.too_many` (Too many requests), `service.internal_error` (Internal error), `service.unavailable` (Temporarily unavailable), `organization.moved` (Organization moved). */
        Default: {
            headers: {
                /** @description Whole seconds to wait, at least 1. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ApiProblem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    sendEmail: {
        parameters: {
            query?: {
                /** @description The project, for signed-in users. An API key always uses its own project. */
                projectId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "Acme <hello@acme.example>",
                 *       "to": [
                 *         "ada@lovelace.example"
                 *       ],
                 *       "subject": "Your receipt",
                 *       "text": "Thank you for your order.",
                 *       "idempotencyKey": "receipt-8841"
                 *     }
                 */
                "application/json": components["schemas"]["SendEmailRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "email_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "status": "Example",
                     *       "messageId": "<01k9q3f7c2e8m9v4x6y8z0a1b3@shop.example>",
                     *       "scheduledAt": "2026-12-24T18:00:00.000Z",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "audienceId": "Example",
                     *       "messages": [
                     *         {
                     *           "index": 1,
                     *           "id": "email_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "status": "Example",
                     *           "messageId": "<01k9q3f7c2e8m9v4x6y8z0a1b3@shop.example>",
                     *           "scheduledAt": "2026-12-24T18:00:00.000Z",
                     *           "createdAt": "2026-12-24T18:00:00.000Z",
                     *           "error": "Example",
                     *           "problem": {}
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SendEmailResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    bulkCancelEmails: {
        parameters: {
            query?: {
                /** @description The project, for signed-in users. An API key always uses its own project. */
                projectId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cancelled": 1
                     *     }
                     */
                    "application/json": components["schemas"]["BulkCancelResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    validateLinks: {
        parameters: {
            query?: {
                /** @description The project, for signed-in users. An API key always uses its own project. */
                projectId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "html": "<a href=\"https://example.com/\">Read more</a>"
                 *     }
                 */
                "application/json": components["schemas"]["ValidateLinksRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "brokenLinks": 1,
                     *       "errorLinks": 1,
                     *       "totalLinks": 1,
                     *       "links": [
                     *         {
                     *           "url": "https://shop.example/orders/7",
                     *           "status": "ok",
                     *           "statusCode": 1,
                     *           "error": "Example"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidateLinksResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getEmail: {
        parameters: {
            query?: {
                /** @description The project, for signed-in users. An API key always uses its own project. */
                projectId?: string;
            };
            header?: never;
            path: {
                emailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "email_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "status": "Example",
                     *       "from": "Shop <orders@shop.example>",
                     *       "to": [
                     *         "ada@lovelace.example"
                     *       ],
                     *       "cc": [
                     *         "Example"
                     *       ],
                     *       "bcc": [
                     *         "Example"
                     *       ],
                     *       "replyTo": "help@shop.example",
                     *       "subject": "Your order",
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way.",
                     *       "messageId": "<01k9q3f7c2e8m9v4x6y8z0a1b3@shop.example>",
                     *       "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "broadcastId": "bc_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "sendTimeCategory": "transactional",
                     *       "trackingSettings": {
                     *         "openTracking": true,
                     *         "clickTracking": true,
                     *         "readEngagement": true,
                     *         "unsubscribeTracking": true
                     *       },
                     *       "tags": {},
                     *       "metadata": {},
                     *       "testMode": true,
                     *       "error": "Example",
                     *       "scheduledAt": "2026-12-24T18:00:00.000Z",
                     *       "tls": "Example",
                     *       "sentAt": "2026-12-24T18:00:00.000Z",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EmailDetailResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    cancelEmail: {
        parameters: {
            query?: {
                /** @description The project, for signed-in users. An API key always uses its own project. */
                projectId?: string;
            };
            header?: never;
            path: {
                emailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cancelled": true
                     *     }
                     */
                    "application/json": components["schemas"]["CancelResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    rescheduleEmail: {
        parameters: {
            query?: {
                /** @description The project, for signed-in users. An API key always uses its own project. */
                projectId?: string;
            };
            header?: never;
            path: {
                emailId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scheduledAt": "2026-12-24T18:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["RescheduleEmailRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "email_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "status": "Example",
                     *       "from": "Shop <orders@shop.example>",
                     *       "to": [
                     *         "ada@lovelace.example"
                     *       ],
                     *       "cc": [
                     *         "Example"
                     *       ],
                     *       "bcc": [
                     *         "Example"
                     *       ],
                     *       "replyTo": "help@shop.example",
                     *       "subject": "Your order",
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way.",
                     *       "messageId": "<01k9q3f7c2e8m9v4x6y8z0a1b3@shop.example>",
                     *       "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "broadcastId": "bc_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "sendTimeCategory": "transactional",
                     *       "trackingSettings": {
                     *         "openTracking": true,
                     *         "clickTracking": true,
                     *         "readEngagement": true,
                     *         "unsubscribeTracking": true
                     *       },
                     *       "tags": {},
                     *       "metadata": {},
                     *       "testMode": true,
                     *       "error": "Example",
                     *       "scheduledAt": "2026-12-24T18:00:00.000Z",
                     *       "tls": "Example",
                     *       "sentAt": "2026-12-24T18:00:00.000Z",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EmailDetailResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    batchSendEmails: {
        parameters: {
            query?: {
                /** @description The project, for signed-in users. An API key always uses its own project. */
                projectId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "from": "Acme <hello@acme.example>",
                 *           "to": [
                 *             "ada@lovelace.example"
                 *           ],
                 *           "subject": "Your receipt",
                 *           "text": "Thank you for your order."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BatchSendRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "index": 1,
                     *           "id": "email_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "status": "Example",
                     *           "messageId": "<01k9q3f7c2e8m9v4x6y8z0a1b3@shop.example>",
                     *           "scheduledAt": "2026-12-24T18:00:00.000Z",
                     *           "createdAt": "2026-12-24T18:00:00.000Z",
                     *           "error": "Example",
                     *           "problem": {}
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BatchSendResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    issueStreamToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "Example",
                     *       "expiresAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StreamTokenResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listRecentEvents: {
        parameters: {
            query?: {
                /** @description The `id` of an event. If it is no longer stored, events since its time are listed. */
                after?: string;
                /** @description At most so many. */
                size?: number;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "evt_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "type": "sent",
                     *           "emailId": "email_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "occurredAt": "2026-12-24T18:00:00.000Z",
                     *           "data": {}
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecentEvents"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    countRecentEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "since": "2026-12-24T18:00:00.000Z",
                     *       "until": "2026-12-24T18:00:00.000Z",
                     *       "last": "evt_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "data": [
                     *         {
                     *           "at": "2026-12-24T18:00:00.000Z",
                     *           "type": "sent",
                     *           "count": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecentEventCounts"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getMetricsAdvisor: {
        parameters: {
            query?: {
                /** @description For signed-in users. An API key always uses its own project. */
                projectId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "score": 1,
                     *       "recommendations": [
                     *         {
                     *           "code": "Example",
                     *           "severity": "Example",
                     *           "title": "Example",
                     *           "message": "Example",
                     *           "data": {
                     *             "accepted": 1,
                     *             "accepted24h": 1,
                     *             "adjustedOpenRate": 1,
                     *             "avgDailyAccepted7d": 1,
                     *             "bounceRate": 1,
                     *             "bounced": 1,
                     *             "complaintRate": 1,
                     *             "daysSinceLastSend": 1,
                     *             "delivered": 1,
                     *             "dmarcAccountedRate": 1,
                     *             "dmarcAlignedMessages": 1,
                     *             "dmarcAlignmentFailureRate7d": 1,
                     *             "dmarcCurrentPolicy": "Example",
                     *             "dmarcDomain": "Example",
                     *             "dmarcObservedMessages": 1,
                     *             "dmarcRecommendedPolicy": "Example",
                     *             "dmarcReportingDays": 1,
                     *             "dmarcUnknownMessages": 1,
                     *             "dmarcUnknownSources": 1,
                     *             "humanOpenRate": 1,
                     *             "proxyOpens": 1,
                     *             "proxyRate": 1,
                     *             "reportedOpenRate": 1,
                     *             "totalOpens": 1,
                     *             "unsubRate": 1,
                     *             "unsubscribed": 1
                     *           },
                     *           "fix": "Example",
                     *           "deduction": 1,
                     *           "evidenceUrl": "Example",
                     *           "fixUrl": "Example"
                     *         }
                     *       ],
                     *       "generatedAt": "2026-12-24T18:00:00.000Z",
                     *       "rating": "Healthy",
                     *       "emails": 1,
                     *       "enoughEmails": true
                     *     }
                     */
                    "application/json": components["schemas"]["AdvisorReportResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getMetricsBreakdown: {
        parameters: {
            query: {
                /** @description What to break down by. */
                by: "domain" | "provider" | "topic" | "tag";
                /** @description Ends now and begins at a whole UTC hour. Ignored if `from` is given. */
                window?: "24h" | "7d" | "30d" | "90d";
                /** @description Additive: the start of a range of at most 400 days, extended to whole UTC hours. */
                from?: string;
                /** @description Additive: the exclusive end of that range; defaults to now. */
                to?: string;
                /** @description Additive: also returns the previous window. */
                compare?: "previous";
                /** @description For signed-in users. An API key always uses its own project. */
                projectId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "window": {
                     *         "label": "24h",
                     *         "from": "2026-12-24T18:00:00.000Z",
                     *         "to": "2026-12-24T18:00:00.000Z"
                     *       },
                     *       "by": "domain",
                     *       "data": [
                     *         {
                     *           "key": "Example",
                     *           "name": "Orders",
                     *           "sent": 1,
                     *           "delivered": 1,
                     *           "bounced": 1,
                     *           "complained": 1,
                     *           "opened": 1,
                     *           "clicked": 1,
                     *           "unsubscribed": 1,
                     *           "failed": 1,
                     *           "readEngaged": 1,
                     *           "deliveryRate": 1,
                     *           "bounceRate": 1,
                     *           "openRate": 1,
                     *           "clickRate": 1,
                     *           "complaintRate": 1,
                     *           "readEngagementRate": 1,
                     *           "deliveryReported": true,
                     *           "deliveryNotReported": 1,
                     *           "awaitingReport": 1,
                     *           "deferred": 1,
                     *           "machineOpens": 1,
                     *           "openedByAnyone": 1,
                     *           "unsubscribeRate": 1,
                     *           "deliveryDelayed": 1,
                     *           "reportsComplaints": true,
                     *           "previous": {
                     *             "sent": 1,
                     *             "delivered": 1,
                     *             "bounced": 1,
                     *             "complained": 1,
                     *             "opened": 1,
                     *             "clicked": 1,
                     *             "unsubscribed": 1,
                     *             "failed": 1,
                     *             "readEngaged": 1,
                     *             "deliveryRate": 1,
                     *             "bounceRate": 1,
                     *             "openRate": 1,
                     *             "clickRate": 1,
                     *             "complaintRate": 1,
                     *             "readEngagementRate": 1,
                     *             "deliveryReported": true,
                     *             "deliveryNotReported": 1,
                     *             "awaitingReport": 1,
                     *             "deferred": 1,
                     *             "machineOpens": 1,
                     *             "openedByAnyone": 1,
                     *             "unsubscribeRate": 1,
                     *             "deliveryDelayed": 1
                     *           }
                     *         }
                     *       ],
                     *       "other": {
                     *         "keys": 1,
                     *         "sent": 1,
                     *         "delivered": 1,
                     *         "bounced": 1,
                     *         "complained": 1,
                     *         "opened": 1,
                     *         "clicked": 1,
                     *         "unsubscribed": 1,
                     *         "failed": 1,
                     *         "readEngaged": 1,
                     *         "deliveryRate": 1,
                     *         "bounceRate": 1,
                     *         "openRate": 1,
                     *         "clickRate": 1,
                     *         "complaintRate": 1,
                     *         "readEngagementRate": 1,
                     *         "deliveryReported": true,
                     *         "deliveryNotReported": 1,
                     *         "awaitingReport": 1,
                     *         "deferred": 1,
                     *         "machineOpens": 1,
                     *         "openedByAnyone": 1,
                     *         "unsubscribeRate": 1,
                     *         "deliveryDelayed": 1,
                     *         "previous": {
                     *           "sent": 1,
                     *           "delivered": 1,
                     *           "bounced": 1,
                     *           "complained": 1,
                     *           "opened": 1,
                     *           "clicked": 1,
                     *           "unsubscribed": 1,
                     *           "failed": 1,
                     *           "readEngaged": 1,
                     *           "deliveryRate": 1,
                     *           "bounceRate": 1,
                     *           "openRate": 1,
                     *           "clickRate": 1,
                     *           "complaintRate": 1,
                     *           "readEngagementRate": 1,
                     *           "deliveryReported": true,
                     *           "deliveryNotReported": 1,
                     *           "awaitingReport": 1,
                     *           "deferred": 1,
                     *           "machineOpens": 1,
                     *           "openedByAnyone": 1,
                     *           "unsubscribeRate": 1,
                     *           "deliveryDelayed": 1
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MetricsBreakdownResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getProjectMetricsSummary: {
        parameters: {
            query?: {
                /** @description Ends now and begins at a whole UTC hour. Ignored if `from` is given. */
                window?: "24h" | "7d" | "30d" | "90d";
                /** @description Additive: the start of a range of at most 400 days, extended to whole UTC hours. */
                from?: string;
                /** @description Additive: the exclusive end of that range; defaults to now. */
                to?: string;
                /** @description Additive: only email from this sending domain. */
                domain?: string;
                /** @description Additive: only email of this broadcast. Cannot be combined with `domain`. */
                broadcastId?: string;
                /** @description Additive: also returns the previous window. */
                compare?: "previous";
                /** @description For signed-in users. An API key always uses its own project. */
                projectId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "window": {
                     *         "label": "24h",
                     *         "from": "2026-12-24T18:00:00.000Z",
                     *         "to": "2026-12-24T18:00:00.000Z"
                     *       },
                     *       "sent": 1,
                     *       "delivered": 1,
                     *       "bounced": 1,
                     *       "complained": 1,
                     *       "opened": 1,
                     *       "clicked": 1,
                     *       "unsubscribed": 1,
                     *       "failed": 1,
                     *       "readEngaged": 1,
                     *       "deliveryRate": 1,
                     *       "bounceRate": 1,
                     *       "openRate": 1,
                     *       "clickRate": 1,
                     *       "complaintRate": 1,
                     *       "readEngagementRate": 1,
                     *       "deliveryReported": true,
                     *       "deliveryNotReported": 1,
                     *       "awaitingReport": 1,
                     *       "deferred": 1,
                     *       "machineOpens": 1,
                     *       "openedByAnyone": 1,
                     *       "unsubscribeRate": 1,
                     *       "deliveryDelayed": 1,
                     *       "previous": {
                     *         "from": "2026-12-24T18:00:00.000Z",
                     *         "to": "2026-12-24T18:00:00.000Z",
                     *         "sent": 1,
                     *         "delivered": 1,
                     *         "bounced": 1,
                     *         "complained": 1,
                     *         "opened": 1,
                     *         "clicked": 1,
                     *         "unsubscribed": 1,
                     *         "failed": 1,
                     *         "readEngaged": 1,
                     *         "deliveryRate": 1,
                     *         "bounceRate": 1,
                     *         "openRate": 1,
                     *         "clickRate": 1,
                     *         "complaintRate": 1,
                     *         "readEngagementRate": 1,
                     *         "deliveryReported": true,
                     *         "deliveryNotReported": 1,
                     *         "awaitingReport": 1,
                     *         "deferred": 1,
                     *         "machineOpens": 1,
                     *         "openedByAnyone": 1,
                     *         "unsubscribeRate": 1,
                     *         "deliveryDelayed": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProjectMetricsSummaryResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getProjectMetricsTimeline: {
        parameters: {
            query?: {
                /** @description Ends now and begins at a whole UTC hour. Ignored if `from` is given. */
                window?: "24h" | "7d" | "30d" | "90d";
                /** @description Additive: the start of a range of at most 400 days, extended to whole UTC hours. */
                from?: string;
                /** @description Additive: the exclusive end of that range; defaults to now. */
                to?: string;
                /** @description `hour` for `24h` and ranges of up to two days, else `day`. A range of more than 8 days has no hours. */
                granularity?: "hour" | "day";
                /** @description `compact` leaves the changes out. */
                format?: "compact" | "detailed";
                /** @description Additive: whose days the buckets of `granularity=day` are, by its IANA name; defaults to UTC. Counts are kept by UTC hours: in a zone with half hours, an hour counts on the day on which it begins. */
                timeZone?: string;
                /** @description Additive: only email from this sending domain. */
                domain?: string;
                /** @description Additive: only email of this broadcast. Cannot be combined with `domain`. */
                broadcastId?: string;
                /** @description For signed-in users. An API key always uses its own project. */
                projectId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "window": {
                     *         "label": "24h",
                     *         "from": "2026-12-24T18:00:00.000Z",
                     *         "to": "2026-12-24T18:00:00.000Z"
                     *       },
                     *       "granularity": "Example",
                     *       "format": "Example",
                     *       "buckets": [
                     *         {
                     *           "bucket": "2026-12-24T18:00:00.000Z",
                     *           "sent": 1,
                     *           "delivered": 1,
                     *           "bounced": 1,
                     *           "complained": 1,
                     *           "opened": 1,
                     *           "clicked": 1,
                     *           "unsubscribed": 1,
                     *           "failed": 1,
                     *           "readEngaged": 1,
                     *           "deliveryDelayed": 1,
                     *           "deliveryRate": 1,
                     *           "bounceRate": 1,
                     *           "openRate": 1,
                     *           "clickRate": 1,
                     *           "complaintRate": 1,
                     *           "readEngagementRate": 1,
                     *           "deliveryReported": true,
                     *           "deliveryNotReported": 1,
                     *           "awaitingReport": 1,
                     *           "deferred": 1,
                     *           "machineOpens": 1,
                     *           "openedByAnyone": 1,
                     *           "unsubscribeRate": 1,
                     *           "engagementScore": 1,
                     *           "sentDelta": 1,
                     *           "deliveredDelta": 1,
                     *           "bounceRateDelta": 1,
                     *           "openRateDelta": 1
                     *         }
                     *       ],
                     *       "totals": {
                     *         "sent": 1,
                     *         "delivered": 1,
                     *         "bounced": 1,
                     *         "complained": 1,
                     *         "opened": 1,
                     *         "clicked": 1,
                     *         "unsubscribed": 1,
                     *         "failed": 1,
                     *         "readEngaged": 1,
                     *         "deliveryRate": 1,
                     *         "bounceRate": 1,
                     *         "openRate": 1,
                     *         "clickRate": 1,
                     *         "complaintRate": 1,
                     *         "readEngagementRate": 1,
                     *         "deliveryReported": true,
                     *         "deliveryNotReported": 1,
                     *         "awaitingReport": 1,
                     *         "deferred": 1,
                     *         "machineOpens": 1,
                     *         "openedByAnyone": 1,
                     *         "unsubscribeRate": 1,
                     *         "deliveryDelayed": 1,
                     *         "avgEngagementScore": 1,
                     *         "peakBucket": "2026-12-24T18:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProjectDetailedMetricsTimelineResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getTopicPerformance: {
        parameters: {
            query?: {
                /** @description Ends now and begins at a whole UTC hour. */
                window?: "24h" | "7d" | "30d" | "90d";
                /** @description For signed-in users. An API key always uses its own project. */
                projectId?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "topicName": "News",
                     *       "window": {
                     *         "label": "24h",
                     *         "from": "2026-12-24T18:00:00.000Z",
                     *         "to": "2026-12-24T18:00:00.000Z"
                     *       },
                     *       "totalEmails": 1,
                     *       "delivered": 1,
                     *       "bounced": 1,
                     *       "complained": 1,
                     *       "opened": 1,
                     *       "clicked": 1,
                     *       "unsubscribed": 1,
                     *       "readEngaged": 1,
                     *       "deliveryRate": 1,
                     *       "bounceRate": 1,
                     *       "openRate": 1,
                     *       "clickRate": 1,
                     *       "complaintRate": 1,
                     *       "readEngagementRate": 1,
                     *       "unsubscribeRate": 1,
                     *       "deliveryReported": true,
                     *       "deliveryNotReported": 1,
                     *       "awaitingReport": 1,
                     *       "avgReadTimeSeconds": 1,
                     *       "optInCount": 1,
                     *       "optOutCount": 1,
                     *       "computedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TopicPerformanceResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getEmailPerformance: {
        parameters: {
            query?: {
                /** @description The project, for signed-in users. An API key always uses its own project. */
                projectId?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "emailId": "email_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "subject": "Your order",
                     *       "fromAddress": "Example",
                     *       "status": "Example",
                     *       "delivered": true,
                     *       "bounced": true,
                     *       "complained": true,
                     *       "opened": true,
                     *       "clicked": true,
                     *       "totalClicks": 1,
                     *       "unsubscribed": true,
                     *       "readEngaged": true,
                     *       "readCategory": "Example",
                     *       "readTimeSeconds": 1,
                     *       "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "sentAt": "2026-12-24T18:00:00.000Z",
                     *       "lastEventAt": "2026-12-24T18:00:00.000Z",
                     *       "computedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EmailPerformanceResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getEmailEngagement: {
        parameters: {
            query?: {
                /** @description The project, for signed-in users. An API key always uses its own project. */
                projectId?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "emailId": "email_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "subject": "Your order",
                     *       "readEngaged": true,
                     *       "readEngagedAt": "2026-12-24T18:00:00.000Z",
                     *       "readTimeSeconds": 1,
                     *       "readCategory": "Example",
                     *       "shortEmail": true,
                     *       "maxDepthPct": 1,
                     *       "depth25Count": 1,
                     *       "depth50Count": 1,
                     *       "depth75Count": 1,
                     *       "depth100Count": 1,
                     *       "depth25Rate": 1,
                     *       "depth50Rate": 1,
                     *       "depth75Rate": 1,
                     *       "depth100Rate": 1,
                     *       "mailClient": "Example",
                     *       "deviceType": "Example",
                     *       "os": "Example",
                     *       "computedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EmailReadScrollAnalyticsResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listSuppressions: {
        parameters: {
            query?: {
                /** @description Page to read, from 1. */
                page?: number;
                /** @description Items a page. */
                size?: number;
                /** @description Additive: only with this reason. */
                reason?: "bounce" | "manual" | "unsubscribe" | "complaint";
                /** @description Additive: only this address, compared in its canonical form. */
                email?: string;
                /** @description Additive: part of the address. */
                search?: string;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "sup_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "email": "ada@lovelace.example",
                     *           "reason": "Example",
                     *           "contactId": "con_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "emailId": "email_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "eventId": "evt_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "evidence": "Example",
                     *           "createdAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "page": 1,
                     *         "size": 1,
                     *         "total": 1,
                     *         "totalPages": 1,
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Page_SuppressionResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    addSuppression: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@lovelace.example"
                 *     }
                 */
                "application/json": components["schemas"]["AddSuppressionBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "sup_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "email": "ada@lovelace.example",
                     *       "reason": "Example",
                     *       "contactId": "con_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "emailId": "email_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "eventId": "evt_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "evidence": "Example",
                     *       "createdAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SuppressionResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    exportSuppressions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            default: components["responses"]["Default"];
        };
    };
    removeSuppression: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                email: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    importSuppressions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "suppressions": [
                 *         {
                 *           "email": "ada@lovelace.example",
                 *           "reason": "unsubscribe"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SuppressionImportBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "imported": 1,
                     *       "skipped": 1,
                     *       "invalid": 1,
                     *       "dryRun": true,
                     *       "errors": [
                     *         {
                     *           "row": 1,
                     *           "email": "ada@lovelace.example",
                     *           "detail": "Example"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SuppressionImportResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listBroadcasts: {
        parameters: {
            query?: {
                /** @description Page to read, from 1. */
                page?: number;
                /** @description Items a page. */
                size?: number;
                status?: "draft" | "scheduled" | "preparing" | "sending" | "paused" | "sent" | "cancelled";
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "bc_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "status": "draft",
                     *           "from": "Shop <orders@shop.example>",
                     *           "to": [
                     *             "ada@lovelace.example"
                     *           ],
                     *           "subject": "Your order",
                     *           "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "testMode": true,
                     *           "tracked": {
                     *             "opens": true,
                     *             "clicks": true
                     *           },
                     *           "scheduledAt": "2026-12-24T18:00:00.000Z",
                     *           "counts": {
                     *             "recipients": 1,
                     *             "accepted": 1,
                     *             "excluded": {
                     *               "unsubscribed": 1,
                     *               "suppressed": 1,
                     *               "topicOptOut": 1,
                     *               "left": 1
                     *             },
                     *             "sent": 1,
                     *             "delivered": 1,
                     *             "bounced": 1,
                     *             "complained": 1,
                     *             "opened": 1,
                     *             "clicked": 1,
                     *             "unsubscribed": 1,
                     *             "failed": 1,
                     *             "deliveryReported": true,
                     *             "deliveryNotReported": 1,
                     *             "awaitingReport": 1
                     *           },
                     *           "pausedReason": "requested",
                     *           "waiting": {
                     *             "reason": "segment_building",
                     *             "until": "2026-12-24T18:00:00.000Z"
                     *           },
                     *           "startedAt": "2026-12-24T18:00:00.000Z",
                     *           "endedAt": "2026-12-24T18:00:00.000Z",
                     *           "createdAt": "2026-12-24T18:00:00.000Z",
                     *           "updatedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "page": 1,
                     *         "size": 1,
                     *         "total": 1,
                     *         "totalPages": 1,
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Page_BroadcastItemResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    createBroadcast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "Acme <news@acme.example>",
                 *       "to": [
                 *         "seg_01k9q3f7c2e8m9v4x6y8z0a1b3"
                 *       ],
                 *       "subject": "What is new in November",
                 *       "html": "<p>Three things are new this month.</p>"
                 *     }
                 */
                "application/json": components["schemas"]["CreateBroadcastRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bc_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "status": "draft",
                     *       "from": "Shop <orders@shop.example>",
                     *       "to": [
                     *         "ada@lovelace.example"
                     *       ],
                     *       "subject": "Your order",
                     *       "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "testMode": true,
                     *       "tracked": {
                     *         "opens": true,
                     *         "clicks": true
                     *       },
                     *       "scheduledAt": "2026-12-24T18:00:00.000Z",
                     *       "counts": {
                     *         "recipients": 1,
                     *         "accepted": 1,
                     *         "excluded": {
                     *           "unsubscribed": 1,
                     *           "suppressed": 1,
                     *           "topicOptOut": 1,
                     *           "left": 1
                     *         },
                     *         "sent": 1,
                     *         "delivered": 1,
                     *         "bounced": 1,
                     *         "complained": 1,
                     *         "opened": 1,
                     *         "clicked": 1,
                     *         "unsubscribed": 1,
                     *         "failed": 1,
                     *         "deliveryReported": true,
                     *         "deliveryNotReported": 1,
                     *         "awaitingReport": 1
                     *       },
                     *       "pausedReason": "requested",
                     *       "waiting": {
                     *         "reason": "segment_building",
                     *         "until": "2026-12-24T18:00:00.000Z"
                     *       },
                     *       "startedAt": "2026-12-24T18:00:00.000Z",
                     *       "endedAt": "2026-12-24T18:00:00.000Z",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z",
                     *       "replyTo": "help@shop.example",
                     *       "template": {
                     *         "id": "tpl_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *         "name": "Orders",
                     *         "version": 1,
                     *         "variables": {},
                     *         "isPersonal": true
                     *       },
                     *       "placeholders": true,
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way.",
                     *       "attachments": [
                     *         {
                     *           "filename": "Example",
                     *           "contentType": "Example",
                     *           "size": 1
                     *         }
                     *       ],
                     *       "headers": {},
                     *       "tags": {},
                     *       "metadata": {},
                     *       "sendTimeCategory": "transactional",
                     *       "trackingSettings": {
                     *         "openTracking": true,
                     *         "clickTracking": true,
                     *         "readEngagement": true,
                     *         "unsubscribeTracking": true
                     *       },
                     *       "giveUpAfterSeconds": 1
                     *     }
                     */
                    "application/json": components["schemas"]["BroadcastResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getBroadcast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                broadcastId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bc_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "status": "draft",
                     *       "from": "Shop <orders@shop.example>",
                     *       "to": [
                     *         "ada@lovelace.example"
                     *       ],
                     *       "subject": "Your order",
                     *       "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "testMode": true,
                     *       "tracked": {
                     *         "opens": true,
                     *         "clicks": true
                     *       },
                     *       "scheduledAt": "2026-12-24T18:00:00.000Z",
                     *       "counts": {
                     *         "recipients": 1,
                     *         "accepted": 1,
                     *         "excluded": {
                     *           "unsubscribed": 1,
                     *           "suppressed": 1,
                     *           "topicOptOut": 1,
                     *           "left": 1
                     *         },
                     *         "sent": 1,
                     *         "delivered": 1,
                     *         "bounced": 1,
                     *         "complained": 1,
                     *         "opened": 1,
                     *         "clicked": 1,
                     *         "unsubscribed": 1,
                     *         "failed": 1,
                     *         "deliveryReported": true,
                     *         "deliveryNotReported": 1,
                     *         "awaitingReport": 1
                     *       },
                     *       "pausedReason": "requested",
                     *       "waiting": {
                     *         "reason": "segment_building",
                     *         "until": "2026-12-24T18:00:00.000Z"
                     *       },
                     *       "startedAt": "2026-12-24T18:00:00.000Z",
                     *       "endedAt": "2026-12-24T18:00:00.000Z",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z",
                     *       "replyTo": "help@shop.example",
                     *       "template": {
                     *         "id": "tpl_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *         "name": "Orders",
                     *         "version": 1,
                     *         "variables": {},
                     *         "isPersonal": true
                     *       },
                     *       "placeholders": true,
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way.",
                     *       "attachments": [
                     *         {
                     *           "filename": "Example",
                     *           "contentType": "Example",
                     *           "size": 1
                     *         }
                     *       ],
                     *       "headers": {},
                     *       "tags": {},
                     *       "metadata": {},
                     *       "sendTimeCategory": "transactional",
                     *       "trackingSettings": {
                     *         "openTracking": true,
                     *         "clickTracking": true,
                     *         "readEngagement": true,
                     *         "unsubscribeTracking": true
                     *       },
                     *       "giveUpAfterSeconds": 1
                     *     }
                     */
                    "application/json": components["schemas"]["BroadcastResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    deleteBroadcast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                broadcastId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    updateBroadcast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                broadcastId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subject": "What is new in December"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateBroadcastRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bc_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "status": "draft",
                     *       "from": "Shop <orders@shop.example>",
                     *       "to": [
                     *         "ada@lovelace.example"
                     *       ],
                     *       "subject": "Your order",
                     *       "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "testMode": true,
                     *       "tracked": {
                     *         "opens": true,
                     *         "clicks": true
                     *       },
                     *       "scheduledAt": "2026-12-24T18:00:00.000Z",
                     *       "counts": {
                     *         "recipients": 1,
                     *         "accepted": 1,
                     *         "excluded": {
                     *           "unsubscribed": 1,
                     *           "suppressed": 1,
                     *           "topicOptOut": 1,
                     *           "left": 1
                     *         },
                     *         "sent": 1,
                     *         "delivered": 1,
                     *         "bounced": 1,
                     *         "complained": 1,
                     *         "opened": 1,
                     *         "clicked": 1,
                     *         "unsubscribed": 1,
                     *         "failed": 1,
                     *         "deliveryReported": true,
                     *         "deliveryNotReported": 1,
                     *         "awaitingReport": 1
                     *       },
                     *       "pausedReason": "requested",
                     *       "waiting": {
                     *         "reason": "segment_building",
                     *         "until": "2026-12-24T18:00:00.000Z"
                     *       },
                     *       "startedAt": "2026-12-24T18:00:00.000Z",
                     *       "endedAt": "2026-12-24T18:00:00.000Z",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z",
                     *       "replyTo": "help@shop.example",
                     *       "template": {
                     *         "id": "tpl_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *         "name": "Orders",
                     *         "version": 1,
                     *         "variables": {},
                     *         "isPersonal": true
                     *       },
                     *       "placeholders": true,
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way.",
                     *       "attachments": [
                     *         {
                     *           "filename": "Example",
                     *           "contentType": "Example",
                     *           "size": 1
                     *         }
                     *       ],
                     *       "headers": {},
                     *       "tags": {},
                     *       "metadata": {},
                     *       "sendTimeCategory": "transactional",
                     *       "trackingSettings": {
                     *         "openTracking": true,
                     *         "clickTracking": true,
                     *         "readEngagement": true,
                     *         "unsubscribeTracking": true
                     *       },
                     *       "giveUpAfterSeconds": 1
                     *     }
                     */
                    "application/json": components["schemas"]["BroadcastResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    duplicateBroadcast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                broadcastId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bc_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "status": "draft",
                     *       "from": "Shop <orders@shop.example>",
                     *       "to": [
                     *         "ada@lovelace.example"
                     *       ],
                     *       "subject": "Your order",
                     *       "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "testMode": true,
                     *       "tracked": {
                     *         "opens": true,
                     *         "clicks": true
                     *       },
                     *       "scheduledAt": "2026-12-24T18:00:00.000Z",
                     *       "counts": {
                     *         "recipients": 1,
                     *         "accepted": 1,
                     *         "excluded": {
                     *           "unsubscribed": 1,
                     *           "suppressed": 1,
                     *           "topicOptOut": 1,
                     *           "left": 1
                     *         },
                     *         "sent": 1,
                     *         "delivered": 1,
                     *         "bounced": 1,
                     *         "complained": 1,
                     *         "opened": 1,
                     *         "clicked": 1,
                     *         "unsubscribed": 1,
                     *         "failed": 1,
                     *         "deliveryReported": true,
                     *         "deliveryNotReported": 1,
                     *         "awaitingReport": 1
                     *       },
                     *       "pausedReason": "requested",
                     *       "waiting": {
                     *         "reason": "segment_building",
                     *         "until": "2026-12-24T18:00:00.000Z"
                     *       },
                     *       "startedAt": "2026-12-24T18:00:00.000Z",
                     *       "endedAt": "2026-12-24T18:00:00.000Z",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z",
                     *       "replyTo": "help@shop.example",
                     *       "template": {
                     *         "id": "tpl_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *         "name": "Orders",
                     *         "version": 1,
                     *         "variables": {},
                     *         "isPersonal": true
                     *       },
                     *       "placeholders": true,
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way.",
                     *       "attachments": [
                     *         {
                     *           "filename": "Example",
                     *           "contentType": "Example",
                     *           "size": 1
                     *         }
                     *       ],
                     *       "headers": {},
                     *       "tags": {},
                     *       "metadata": {},
                     *       "sendTimeCategory": "transactional",
                     *       "trackingSettings": {
                     *         "openTracking": true,
                     *         "clickTracking": true,
                     *         "readEngagement": true,
                     *         "unsubscribeTracking": true
                     *       },
                     *       "giveUpAfterSeconds": 1
                     *     }
                     */
                    "application/json": components["schemas"]["BroadcastResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    sendBroadcast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                broadcastId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bc_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "status": "draft",
                     *       "from": "Shop <orders@shop.example>",
                     *       "to": [
                     *         "ada@lovelace.example"
                     *       ],
                     *       "subject": "Your order",
                     *       "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "testMode": true,
                     *       "tracked": {
                     *         "opens": true,
                     *         "clicks": true
                     *       },
                     *       "scheduledAt": "2026-12-24T18:00:00.000Z",
                     *       "counts": {
                     *         "recipients": 1,
                     *         "accepted": 1,
                     *         "excluded": {
                     *           "unsubscribed": 1,
                     *           "suppressed": 1,
                     *           "topicOptOut": 1,
                     *           "left": 1
                     *         },
                     *         "sent": 1,
                     *         "delivered": 1,
                     *         "bounced": 1,
                     *         "complained": 1,
                     *         "opened": 1,
                     *         "clicked": 1,
                     *         "unsubscribed": 1,
                     *         "failed": 1,
                     *         "deliveryReported": true,
                     *         "deliveryNotReported": 1,
                     *         "awaitingReport": 1
                     *       },
                     *       "pausedReason": "requested",
                     *       "waiting": {
                     *         "reason": "segment_building",
                     *         "until": "2026-12-24T18:00:00.000Z"
                     *       },
                     *       "startedAt": "2026-12-24T18:00:00.000Z",
                     *       "endedAt": "2026-12-24T18:00:00.000Z",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z",
                     *       "replyTo": "help@shop.example",
                     *       "template": {
                     *         "id": "tpl_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *         "name": "Orders",
                     *         "version": 1,
                     *         "variables": {},
                     *         "isPersonal": true
                     *       },
                     *       "placeholders": true,
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way.",
                     *       "attachments": [
                     *         {
                     *           "filename": "Example",
                     *           "contentType": "Example",
                     *           "size": 1
                     *         }
                     *       ],
                     *       "headers": {},
                     *       "tags": {},
                     *       "metadata": {},
                     *       "sendTimeCategory": "transactional",
                     *       "trackingSettings": {
                     *         "openTracking": true,
                     *         "clickTracking": true,
                     *         "readEngagement": true,
                     *         "unsubscribeTracking": true
                     *       },
                     *       "giveUpAfterSeconds": 1
                     *     }
                     */
                    "application/json": components["schemas"]["BroadcastResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    pauseBroadcast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                broadcastId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bc_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "status": "draft",
                     *       "from": "Shop <orders@shop.example>",
                     *       "to": [
                     *         "ada@lovelace.example"
                     *       ],
                     *       "subject": "Your order",
                     *       "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "testMode": true,
                     *       "tracked": {
                     *         "opens": true,
                     *         "clicks": true
                     *       },
                     *       "scheduledAt": "2026-12-24T18:00:00.000Z",
                     *       "counts": {
                     *         "recipients": 1,
                     *         "accepted": 1,
                     *         "excluded": {
                     *           "unsubscribed": 1,
                     *           "suppressed": 1,
                     *           "topicOptOut": 1,
                     *           "left": 1
                     *         },
                     *         "sent": 1,
                     *         "delivered": 1,
                     *         "bounced": 1,
                     *         "complained": 1,
                     *         "opened": 1,
                     *         "clicked": 1,
                     *         "unsubscribed": 1,
                     *         "failed": 1,
                     *         "deliveryReported": true,
                     *         "deliveryNotReported": 1,
                     *         "awaitingReport": 1
                     *       },
                     *       "pausedReason": "requested",
                     *       "waiting": {
                     *         "reason": "segment_building",
                     *         "until": "2026-12-24T18:00:00.000Z"
                     *       },
                     *       "startedAt": "2026-12-24T18:00:00.000Z",
                     *       "endedAt": "2026-12-24T18:00:00.000Z",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z",
                     *       "replyTo": "help@shop.example",
                     *       "template": {
                     *         "id": "tpl_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *         "name": "Orders",
                     *         "version": 1,
                     *         "variables": {},
                     *         "isPersonal": true
                     *       },
                     *       "placeholders": true,
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way.",
                     *       "attachments": [
                     *         {
                     *           "filename": "Example",
                     *           "contentType": "Example",
                     *           "size": 1
                     *         }
                     *       ],
                     *       "headers": {},
                     *       "tags": {},
                     *       "metadata": {},
                     *       "sendTimeCategory": "transactional",
                     *       "trackingSettings": {
                     *         "openTracking": true,
                     *         "clickTracking": true,
                     *         "readEngagement": true,
                     *         "unsubscribeTracking": true
                     *       },
                     *       "giveUpAfterSeconds": 1
                     *     }
                     */
                    "application/json": components["schemas"]["BroadcastResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    resumeBroadcast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                broadcastId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bc_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "status": "draft",
                     *       "from": "Shop <orders@shop.example>",
                     *       "to": [
                     *         "ada@lovelace.example"
                     *       ],
                     *       "subject": "Your order",
                     *       "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "testMode": true,
                     *       "tracked": {
                     *         "opens": true,
                     *         "clicks": true
                     *       },
                     *       "scheduledAt": "2026-12-24T18:00:00.000Z",
                     *       "counts": {
                     *         "recipients": 1,
                     *         "accepted": 1,
                     *         "excluded": {
                     *           "unsubscribed": 1,
                     *           "suppressed": 1,
                     *           "topicOptOut": 1,
                     *           "left": 1
                     *         },
                     *         "sent": 1,
                     *         "delivered": 1,
                     *         "bounced": 1,
                     *         "complained": 1,
                     *         "opened": 1,
                     *         "clicked": 1,
                     *         "unsubscribed": 1,
                     *         "failed": 1,
                     *         "deliveryReported": true,
                     *         "deliveryNotReported": 1,
                     *         "awaitingReport": 1
                     *       },
                     *       "pausedReason": "requested",
                     *       "waiting": {
                     *         "reason": "segment_building",
                     *         "until": "2026-12-24T18:00:00.000Z"
                     *       },
                     *       "startedAt": "2026-12-24T18:00:00.000Z",
                     *       "endedAt": "2026-12-24T18:00:00.000Z",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z",
                     *       "replyTo": "help@shop.example",
                     *       "template": {
                     *         "id": "tpl_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *         "name": "Orders",
                     *         "version": 1,
                     *         "variables": {},
                     *         "isPersonal": true
                     *       },
                     *       "placeholders": true,
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way.",
                     *       "attachments": [
                     *         {
                     *           "filename": "Example",
                     *           "contentType": "Example",
                     *           "size": 1
                     *         }
                     *       ],
                     *       "headers": {},
                     *       "tags": {},
                     *       "metadata": {},
                     *       "sendTimeCategory": "transactional",
                     *       "trackingSettings": {
                     *         "openTracking": true,
                     *         "clickTracking": true,
                     *         "readEngagement": true,
                     *         "unsubscribeTracking": true
                     *       },
                     *       "giveUpAfterSeconds": 1
                     *     }
                     */
                    "application/json": components["schemas"]["BroadcastResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    cancelBroadcast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                broadcastId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bc_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "status": "draft",
                     *       "from": "Shop <orders@shop.example>",
                     *       "to": [
                     *         "ada@lovelace.example"
                     *       ],
                     *       "subject": "Your order",
                     *       "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "testMode": true,
                     *       "tracked": {
                     *         "opens": true,
                     *         "clicks": true
                     *       },
                     *       "scheduledAt": "2026-12-24T18:00:00.000Z",
                     *       "counts": {
                     *         "recipients": 1,
                     *         "accepted": 1,
                     *         "excluded": {
                     *           "unsubscribed": 1,
                     *           "suppressed": 1,
                     *           "topicOptOut": 1,
                     *           "left": 1
                     *         },
                     *         "sent": 1,
                     *         "delivered": 1,
                     *         "bounced": 1,
                     *         "complained": 1,
                     *         "opened": 1,
                     *         "clicked": 1,
                     *         "unsubscribed": 1,
                     *         "failed": 1,
                     *         "deliveryReported": true,
                     *         "deliveryNotReported": 1,
                     *         "awaitingReport": 1
                     *       },
                     *       "pausedReason": "requested",
                     *       "waiting": {
                     *         "reason": "segment_building",
                     *         "until": "2026-12-24T18:00:00.000Z"
                     *       },
                     *       "startedAt": "2026-12-24T18:00:00.000Z",
                     *       "endedAt": "2026-12-24T18:00:00.000Z",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z",
                     *       "replyTo": "help@shop.example",
                     *       "template": {
                     *         "id": "tpl_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *         "name": "Orders",
                     *         "version": 1,
                     *         "variables": {},
                     *         "isPersonal": true
                     *       },
                     *       "placeholders": true,
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way.",
                     *       "attachments": [
                     *         {
                     *           "filename": "Example",
                     *           "contentType": "Example",
                     *           "size": 1
                     *         }
                     *       ],
                     *       "headers": {},
                     *       "tags": {},
                     *       "metadata": {},
                     *       "sendTimeCategory": "transactional",
                     *       "trackingSettings": {
                     *         "openTracking": true,
                     *         "clickTracking": true,
                     *         "readEngagement": true,
                     *         "unsubscribeTracking": true
                     *       },
                     *       "giveUpAfterSeconds": 1
                     *     }
                     */
                    "application/json": components["schemas"]["BroadcastResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    previewBroadcast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to": [
                 *         "seg_01k9q3f7c2e8m9v4x6y8z0a1b3"
                 *       ],
                 *       "subject": "{{contact.firstName | Dear reader}}, what is new in November",
                 *       "html": "<p>Three things are new this month.</p>",
                 *       "placeholders": true
                 *     }
                 */
                "application/json": components["schemas"]["PreviewBroadcastRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "person": {
                     *         "contactId": "con_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *         "email": "ada@lovelace.example"
                     *       },
                     *       "subject": "Your order",
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way.",
                     *       "people": [
                     *         {
                     *           "contactId": "con_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "email": "ada@lovelace.example"
                     *         }
                     *       ],
                     *       "sendable": 1,
                     *       "complete": true,
                     *       "lacking": [
                     *         {
                     *           "key": "Example",
                     *           "count": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BroadcastPreviewResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    previewStoredBroadcast: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                broadcastId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "contactId": "Example"
                 *     }
                 */
                "application/json": components["schemas"]["PreviewStoredBroadcastRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "person": {
                     *         "contactId": "con_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *         "email": "ada@lovelace.example"
                     *       },
                     *       "subject": "Your order",
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way.",
                     *       "people": [
                     *         {
                     *           "contactId": "con_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "email": "ada@lovelace.example"
                     *         }
                     *       ],
                     *       "sendable": 1,
                     *       "complete": true,
                     *       "lacking": [
                     *         {
                     *           "key": "Example",
                     *           "count": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BroadcastPreviewResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listBroadcastLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                broadcastId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "url": "https://shop.example/orders/7",
                     *           "clicks": 1,
                     *           "people": 1
                     *         }
                     *       ],
                     *       "complete": true
                     *     }
                     */
                    "application/json": components["schemas"]["BroadcastLinksResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /** @description Page to read, from 1. */
                page?: number;
                /** @description Items a page. */
                size?: number;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "tpl_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "name": "Orders",
                     *           "subject": "Your order",
                     *           "html": "<p>It is on its way.</p>",
                     *           "text": "It is on its way.",
                     *           "variables": [
                     *             {
                     *               "name": "Orders",
                     *               "type": "string",
                     *               "fallback": "Example"
                     *             }
                     *           ],
                     *           "version": 1,
                     *           "isChanged": true,
                     *           "createdAt": "2026-12-24T18:00:00.000Z",
                     *           "updatedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "page": 1,
                     *         "size": 1,
                     *         "total": 1,
                     *         "totalPages": 1,
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Page_TemplateResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "welcome",
                 *       "subject": "Welcome, {{contact.firstName | there}}",
                 *       "html": "<p>Your plan: {{plan}}. <a href=\"{{link}}\">Begin</a></p>",
                 *       "variables": [
                 *         {
                 *           "name": "plan",
                 *           "type": "string",
                 *           "fallback": "free"
                 *         },
                 *         {
                 *           "name": "link",
                 *           "type": "url"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateTemplateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tpl_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "name": "Orders",
                     *       "subject": "Your order",
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way.",
                     *       "variables": [
                     *         {
                     *           "name": "Orders",
                     *           "type": "string",
                     *           "fallback": "Example"
                     *         }
                     *       ],
                     *       "version": 1,
                     *       "isChanged": true,
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TemplateResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                templateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tpl_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "name": "Orders",
                     *       "subject": "Your order",
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way.",
                     *       "variables": [
                     *         {
                     *           "name": "Orders",
                     *           "type": "string",
                     *           "fallback": "Example"
                     *         }
                     *       ],
                     *       "version": 1,
                     *       "isChanged": true,
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TemplateResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                templateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    updateTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                templateId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subject": "Welcome to Acme, {{contact.firstName | there}}"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateTemplateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tpl_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "name": "Orders",
                     *       "subject": "Your order",
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way.",
                     *       "variables": [
                     *         {
                     *           "name": "Orders",
                     *           "type": "string",
                     *           "fallback": "Example"
                     *         }
                     *       ],
                     *       "version": 1,
                     *       "isChanged": true,
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TemplateResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    publishTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                templateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tpl_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "name": "Orders",
                     *       "subject": "Your order",
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way.",
                     *       "variables": [
                     *         {
                     *           "name": "Orders",
                     *           "type": "string",
                     *           "fallback": "Example"
                     *         }
                     *       ],
                     *       "version": 1,
                     *       "isChanged": true,
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TemplateResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listTemplateVersions: {
        parameters: {
            query?: {
                /** @description Page to read, from 1. */
                page?: number;
                /** @description Items a page. */
                size?: number;
            };
            header?: never;
            path: {
                projectId: string;
                templateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "version": 1,
                     *           "subject": "Your order",
                     *           "html": "<p>It is on its way.</p>",
                     *           "text": "It is on its way.",
                     *           "variables": [
                     *             {
                     *               "name": "Orders",
                     *               "type": "string",
                     *               "fallback": "Example"
                     *             }
                     *           ],
                     *           "createdAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "page": 1,
                     *         "size": 1,
                     *         "total": 1,
                     *         "totalPages": 1,
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Page_TemplateVersionResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    previewTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                templateId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "variables": {
                 *         "plan": "pro",
                 *         "link": "https://acme.example/begin"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PreviewTemplateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subject": "Your order",
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way."
                     *     }
                     */
                    "application/json": components["schemas"]["TemplatePreviewResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listSegments: {
        parameters: {
            query?: {
                /** @description Page to read, from 1. */
                page?: number;
                /** @description Items a page. */
                size?: number;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "seg_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "object": "segment",
                     *           "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "name": "Orders",
                     *           "contactCount": 1,
                     *           "unsubscribedCount": 1,
                     *           "filter": {
                     *             "all": [
                     *               {
                     *                 "field": "email",
                     *                 "operator": "ends_with",
                     *                 "value": "@lovelace.example"
                     *               }
                     *             ]
                     *           },
                     *           "building": {
                     *             "done": 1,
                     *             "total": 1
                     *           },
                     *           "createdAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "page": 1,
                     *         "size": 1,
                     *         "total": 1,
                     *         "totalPages": 1,
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Page_SegmentResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    createSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Readers",
                 *       "filter": {
                 *         "all": [
                 *           {
                 *             "field": "engagement",
                 *             "event": "opened",
                 *             "operator": "within_days",
                 *             "days": 30
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateSegmentBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "seg_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "segment",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "name": "Orders",
                     *       "contactCount": 1,
                     *       "unsubscribedCount": 1,
                     *       "filter": {
                     *         "all": [
                     *           {
                     *             "field": "email",
                     *             "operator": "ends_with",
                     *             "value": "@lovelace.example"
                     *           }
                     *         ]
                     *       },
                     *       "building": {
                     *         "done": 1,
                     *         "total": 1
                     *       },
                     *       "createdAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SegmentResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    previewSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "any": [
                 *           {
                 *             "field": "email",
                 *             "operator": "ends_with",
                 *             "value": "@lovelace.example"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PreviewSegmentBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 1,
                     *       "exact": true,
                     *       "estimate": 1,
                     *       "scanned": 1,
                     *       "sample": [
                     *         {
                     *           "contactId": "con_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "email": "ada@lovelace.example",
                     *           "firstName": "Ada",
                     *           "lastName": "Lovelace"
                     *         }
                     *       ],
                     *       "sendable": 1,
                     *       "excluded": [
                     *         {
                     *           "reason": "unsubscribed",
                     *           "count": 1,
                     *           "sample": [
                     *             "Example"
                     *           ]
                     *         }
                     *       ],
                     *       "contact": {
                     *         "contactId": "con_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *         "email": "ada@lovelace.example",
                     *         "matches": true,
                     *         "sendable": true,
                     *         "excluded": "unsubscribed",
                     *         "origin": "filter",
                     *         "conditions": [
                     *           {
                     *             "pointer": "Example",
                     *             "condition": {
                     *               "field": "email",
                     *               "operator": "equals",
                     *               "value": "Example"
                     *             },
                     *             "matches": true
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SegmentPreviewResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                segmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "seg_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "segment",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "name": "Orders",
                     *       "contactCount": 1,
                     *       "unsubscribedCount": 1,
                     *       "filter": {
                     *         "all": [
                     *           {
                     *             "field": "email",
                     *             "operator": "ends_with",
                     *             "value": "@lovelace.example"
                     *           }
                     *         ]
                     *       },
                     *       "building": {
                     *         "done": 1,
                     *         "total": 1
                     *       },
                     *       "createdAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SegmentResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    deleteSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                segmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    updateSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                segmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Regular readers"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSegmentBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "seg_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "segment",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "name": "Orders",
                     *       "contactCount": 1,
                     *       "unsubscribedCount": 1,
                     *       "filter": {
                     *         "all": [
                     *           {
                     *             "field": "email",
                     *             "operator": "ends_with",
                     *             "value": "@lovelace.example"
                     *           }
                     *         ]
                     *       },
                     *       "building": {
                     *         "done": 1,
                     *         "total": 1
                     *       },
                     *       "createdAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SegmentResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listContactsInSegment: {
        parameters: {
            query?: {
                /** @description Items a page. */
                size?: number;
                /** @description A cursor from an earlier response, unchanged. Omit it for the first page. */
                after?: string;
            };
            header?: never;
            path: {
                projectId: string;
                segmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cursor": {
                     *         "nextCursor": "Example",
                     *         "previousCursor": "Example",
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       },
                     *       "data": [
                     *         {
                     *           "contactId": "con_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "email": "ada@lovelace.example",
                     *           "segments": [
                     *             "seg_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *           ],
                     *           "firstName": "Ada",
                     *           "lastName": "Lovelace"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CursorPage_SegmentContactResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listTopics: {
        parameters: {
            query?: {
                /** @description Page to read, from 1. */
                page?: number;
                /** @description Items a page. */
                size?: number;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "object": "topic",
                     *           "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "name": "Orders",
                     *           "description": "Example",
                     *           "defaultSubscription": "Example",
                     *           "visibility": "Example",
                     *           "optInCount": 1,
                     *           "optOutCount": 1,
                     *           "effectiveCount": 1,
                     *           "createdAt": "2026-12-24T18:00:00.000Z",
                     *           "updatedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "page": 1,
                     *         "size": 1,
                     *         "total": 1,
                     *         "totalPages": 1,
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Page_TopicResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    createTopic: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Product news",
                 *       "defaultSubscription": "opt_in",
                 *       "visibility": "public"
                 *     }
                 */
                "application/json": components["schemas"]["CreateTopicBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "topic",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "name": "Orders",
                     *       "description": "Example",
                     *       "defaultSubscription": "Example",
                     *       "visibility": "Example",
                     *       "optInCount": 1,
                     *       "optOutCount": 1,
                     *       "effectiveCount": 1,
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TopicResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getTopic: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                topicId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "topic",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "name": "Orders",
                     *       "description": "Example",
                     *       "defaultSubscription": "Example",
                     *       "visibility": "Example",
                     *       "optInCount": 1,
                     *       "optOutCount": 1,
                     *       "effectiveCount": 1,
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TopicResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    deleteTopic: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                topicId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    updateTopic: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                topicId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Weekly news"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateTopicBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "topic",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "name": "Orders",
                     *       "description": "Example",
                     *       "defaultSubscription": "Example",
                     *       "visibility": "Example",
                     *       "optInCount": 1,
                     *       "optOutCount": 1,
                     *       "effectiveCount": 1,
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TopicResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listContactsInTopic: {
        parameters: {
            query?: {
                /** @description Items a page. */
                size?: number;
                /** @description A cursor from an earlier response, unchanged. Omit it for the first page. */
                after?: string;
                /** @description Additive: `opt_out` lists the contacts that have opted out themselves. */
                subscription?: "opt_in" | "opt_out";
            };
            header?: never;
            path: {
                projectId: string;
                topicId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cursor": {
                     *         "nextCursor": "Example",
                     *         "previousCursor": "Example",
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       },
                     *       "data": [
                     *         {
                     *           "contactId": "con_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "email": "ada@lovelace.example",
                     *           "firstName": "Ada",
                     *           "lastName": "Lovelace",
                     *           "since": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CursorPage_TopicContactResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    previewPreferencePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "html": "<p>It is on its way.</p>"
                     *     }
                     */
                    "application/json": components["schemas"]["PreferencePagePreviewResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listContactProperties: {
        parameters: {
            query?: {
                /** @description Page to read, from 1. */
                page?: number;
                /** @description Items a page. */
                size?: number;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "prop_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "object": "contact_property",
                     *           "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "key": "Example",
                     *           "type": "Example",
                     *           "fallbackValue": "Example",
                     *           "createdAt": "2026-12-24T18:00:00.000Z",
                     *           "updatedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "page": 1,
                     *         "size": 1,
                     *         "total": 1,
                     *         "totalPages": 1,
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Page_ContactPropertyResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    createContactProperty: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "plan",
                 *       "type": "string",
                 *       "fallbackValue": "free"
                 *     }
                 */
                "application/json": components["schemas"]["CreateContactPropertyBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "prop_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "contact_property",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "key": "Example",
                     *       "type": "Example",
                     *       "fallbackValue": "Example",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContactPropertyResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getContactProperty: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                propertyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "prop_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "contact_property",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "key": "Example",
                     *       "type": "Example",
                     *       "fallbackValue": "Example",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContactPropertyResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    deleteContactProperty: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                propertyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    updateContactProperty: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                propertyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "fallbackValue": "trial"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateContactPropertyBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "prop_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "contact_property",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "key": "Example",
                     *       "type": "Example",
                     *       "fallbackValue": "Example",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContactPropertyResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listContactPropertyValues: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                propertyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "contacts": 1,
                     *       "data": [
                     *         {
                     *           "value": "Example",
                     *           "contacts": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ContactPropertyValuesResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listContacts: {
        parameters: {
            query?: {
                /** @description Page to read, from 1. */
                page?: number;
                /** @description Items a page. */
                size?: number;
                /** @description Additive: a cursor from an earlier response with the same filters, unchanged. `page` is then ignored. */
                after?: string;
                /** @description Exact address, compared without case. */
                email?: string;
                /** @description Part of the address or of the name, compared without case. */
                search?: string;
                /** @description Members of this segment. */
                segmentId?: string;
                /** @description Contacts subscribed to this topic, by their own preference or by its default. */
                topicId?: string;
                unsubscribed?: boolean;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "con_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "object": "contact",
                     *           "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "email": "ada@lovelace.example",
                     *           "firstName": "Ada",
                     *           "lastName": "Lovelace",
                     *           "phone": "+44 20 7946 0000",
                     *           "profileImageUrl": "Example",
                     *           "properties": {},
                     *           "ownProperties": [
                     *             "Example"
                     *           ],
                     *           "segments": [
                     *             "seg_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *           ],
                     *           "topics": [
                     *             {
                     *               "subscription": "Example",
                     *               "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *             }
                     *           ],
                     *           "unsubscribed": true,
                     *           "createdAt": "2026-12-24T18:00:00.000Z",
                     *           "updatedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "page": 1,
                     *         "size": 1,
                     *         "total": 1,
                     *         "totalPages": 1,
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       },
                     *       "cursor": {
                     *         "nextCursor": "Example",
                     *         "previousCursor": "Example",
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Page_ContactResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    upsertContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@lovelace.example",
                 *       "firstName": "Ada"
                 *     }
                 */
                "application/json": components["schemas"]["UpsertContactBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "con_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "contact",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "email": "ada@lovelace.example",
                     *       "firstName": "Ada",
                     *       "lastName": "Lovelace",
                     *       "phone": "+44 20 7946 0000",
                     *       "profileImageUrl": "Example",
                     *       "properties": {},
                     *       "ownProperties": [
                     *         "Example"
                     *       ],
                     *       "segments": [
                     *         "seg_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *       ],
                     *       "topics": [
                     *         {
                     *           "subscription": "Example",
                     *           "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *         }
                     *       ],
                     *       "unsubscribed": true,
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    createContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@lovelace.example",
                 *       "firstName": "Ada",
                 *       "lastName": "Lovelace"
                 *     }
                 */
                "application/json": components["schemas"]["CreateContactBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "con_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "contact",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "email": "ada@lovelace.example",
                     *       "firstName": "Ada",
                     *       "lastName": "Lovelace",
                     *       "phone": "+44 20 7946 0000",
                     *       "profileImageUrl": "Example",
                     *       "properties": {},
                     *       "ownProperties": [
                     *         "Example"
                     *       ],
                     *       "segments": [
                     *         "seg_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *       ],
                     *       "topics": [
                     *         {
                     *           "subscription": "Example",
                     *           "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *         }
                     *       ],
                     *       "unsubscribed": true,
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    importContacts: {
        parameters: {
            query?: {
                /** @description What happens to a contact that already exists: it is updated or left unchanged. */
                mode?: "upsert" | "skip";
                dryRun?: boolean;
                /** @description JSON: column name to `email`, `firstName`, `lastName`, `phone`, `unsubscribed`, `properties.<key>` or null, as in `{"E-Mail": "email"}`; or a list with the target of each column by position, as in `["email", null]`, for columns with the same name. */
                mapping?: string;
                /** @description How dates such as 03/04/2026 are read in a column none of whose values tells; `day_first` if omitted. A column with 31/03/2026 is read day first whatever this says. */
                dates?: "day_first" | "month_first";
                /** @description Segment to which the contacts are added. */
                segmentId?: string;
                /** @description Shown in the list of imports. */
                fileName?: string;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "imp_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "contact_import",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "status": "queued",
                     *       "mode": "upsert",
                     *       "dryRun": true,
                     *       "fileName": "Example",
                     *       "encoding": "utf-8",
                     *       "segmentId": "seg_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "columns": [
                     *         {
                     *           "name": "Orders",
                     *           "target": "Example",
                     *           "format": {
                     *             "decimal": "comma",
                     *             "dates": "day_first",
                     *             "assumed": true
                     *           }
                     *         }
                     *       ],
                     *       "bytes": 1,
                     *       "bytesRead": 1,
                     *       "processed": 1,
                     *       "created": 1,
                     *       "updated": 1,
                     *       "skipped": 1,
                     *       "failed": 1,
                     *       "errorGroups": [
                     *         {
                     *           "column": "Example",
                     *           "detail": "Example",
                     *           "rows": 1,
                     *           "examples": [
                     *             "Example"
                     *           ]
                     *         }
                     *       ],
                     *       "fileUntil": "2026-12-24T18:00:00.000Z",
                     *       "failure": "Example",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "startedAt": "2026-12-24T18:00:00.000Z",
                     *       "endedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContactImportResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    exportContacts: {
        parameters: {
            query?: {
                /** @description Exact address, compared without case. */
                email?: string;
                /** @description Part of the address or of the name, compared without case. */
                search?: string;
                /** @description Members of this segment. */
                segmentId?: string;
                /** @description Contacts subscribed to this topic, by their own preference or by its default. */
                topicId?: string;
                unsubscribed?: boolean;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listContactImports: {
        parameters: {
            query?: {
                /** @description Page to read, from 1. */
                page?: number;
                /** @description Items a page. */
                size?: number;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "imp_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "object": "contact_import",
                     *           "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "status": "queued",
                     *           "mode": "upsert",
                     *           "dryRun": true,
                     *           "fileName": "Example",
                     *           "encoding": "utf-8",
                     *           "segmentId": "seg_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "columns": [
                     *             {
                     *               "name": "Orders",
                     *               "target": "Example",
                     *               "format": {
                     *                 "decimal": "comma",
                     *                 "dates": "day_first",
                     *                 "assumed": true
                     *               }
                     *             }
                     *           ],
                     *           "bytes": 1,
                     *           "bytesRead": 1,
                     *           "processed": 1,
                     *           "created": 1,
                     *           "updated": 1,
                     *           "skipped": 1,
                     *           "failed": 1,
                     *           "errorGroups": [
                     *             {
                     *               "column": "Example",
                     *               "detail": "Example",
                     *               "rows": 1,
                     *               "examples": [
                     *                 "Example"
                     *               ]
                     *             }
                     *           ],
                     *           "fileUntil": "2026-12-24T18:00:00.000Z",
                     *           "failure": "Example",
                     *           "createdAt": "2026-12-24T18:00:00.000Z",
                     *           "startedAt": "2026-12-24T18:00:00.000Z",
                     *           "endedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "page": 1,
                     *         "size": 1,
                     *         "total": 1,
                     *         "totalPages": 1,
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Page_ContactImportResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getContactImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "imp_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "contact_import",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "status": "queued",
                     *       "mode": "upsert",
                     *       "dryRun": true,
                     *       "fileName": "Example",
                     *       "encoding": "utf-8",
                     *       "segmentId": "seg_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "columns": [
                     *         {
                     *           "name": "Orders",
                     *           "target": "Example",
                     *           "format": {
                     *             "decimal": "comma",
                     *             "dates": "day_first",
                     *             "assumed": true
                     *           }
                     *         }
                     *       ],
                     *       "bytes": 1,
                     *       "bytesRead": 1,
                     *       "processed": 1,
                     *       "created": 1,
                     *       "updated": 1,
                     *       "skipped": 1,
                     *       "failed": 1,
                     *       "errorGroups": [
                     *         {
                     *           "column": "Example",
                     *           "detail": "Example",
                     *           "rows": 1,
                     *           "examples": [
                     *             "Example"
                     *           ]
                     *         }
                     *       ],
                     *       "fileUntil": "2026-12-24T18:00:00.000Z",
                     *       "failure": "Example",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "startedAt": "2026-12-24T18:00:00.000Z",
                     *       "endedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContactImportResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listContactImportErrors: {
        parameters: {
            query?: {
                /** @description Page to read, from 1. */
                page?: number;
                /** @description Items a page. */
                size?: number;
            };
            header?: never;
            path: {
                projectId: string;
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "line": 1,
                     *           "faults": [
                     *             {
                     *               "column": "Example",
                     *               "detail": "Example"
                     *             }
                     *           ],
                     *           "row": "Example"
                     *         }
                     *       ],
                     *       "page": {
                     *         "page": 1,
                     *         "size": 1,
                     *         "total": 1,
                     *         "totalPages": 1,
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Page_ContactImportErrorResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    exportRejectedRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getContactImportSample: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "contact_import_sample",
                     *       "header": [
                     *         "Example"
                     *       ],
                     *       "delimiter": "Example",
                     *       "rows": [
                     *         [
                     *           "Example"
                     *         ]
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ContactImportSampleResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    cancelContactImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "imp_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "contact_import",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "status": "queued",
                     *       "mode": "upsert",
                     *       "dryRun": true,
                     *       "fileName": "Example",
                     *       "encoding": "utf-8",
                     *       "segmentId": "seg_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "columns": [
                     *         {
                     *           "name": "Orders",
                     *           "target": "Example",
                     *           "format": {
                     *             "decimal": "comma",
                     *             "dates": "day_first",
                     *             "assumed": true
                     *           }
                     *         }
                     *       ],
                     *       "bytes": 1,
                     *       "bytesRead": 1,
                     *       "processed": 1,
                     *       "created": 1,
                     *       "updated": 1,
                     *       "skipped": 1,
                     *       "failed": 1,
                     *       "errorGroups": [
                     *         {
                     *           "column": "Example",
                     *           "detail": "Example",
                     *           "rows": 1,
                     *           "examples": [
                     *             "Example"
                     *           ]
                     *         }
                     *       ],
                     *       "fileUntil": "2026-12-24T18:00:00.000Z",
                     *       "failure": "Example",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "startedAt": "2026-12-24T18:00:00.000Z",
                     *       "endedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContactImportResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    runContactImport: {
        parameters: {
            query?: {
                mode?: "upsert" | "skip";
                dryRun?: boolean;
                /** @description JSON: column name to `email`, `firstName`, `lastName`, `phone`, `unsubscribed`, `properties.<key>` or null, as in `{"E-Mail": "email"}`; or a list with the target of each column by position, as in `["email", null]`, for columns with the same name. */
                mapping?: string;
                /** @description How dates such as 03/04/2026 are read in a column none of whose values tells; `day_first` if omitted. A column with 31/03/2026 is read day first whatever this says. */
                dates?: "day_first" | "month_first";
                /** @description Segment to which the contacts are added. */
                segmentId?: string;
            };
            header?: never;
            path: {
                projectId: string;
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "imp_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "contact_import",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "status": "queued",
                     *       "mode": "upsert",
                     *       "dryRun": true,
                     *       "fileName": "Example",
                     *       "encoding": "utf-8",
                     *       "segmentId": "seg_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "columns": [
                     *         {
                     *           "name": "Orders",
                     *           "target": "Example",
                     *           "format": {
                     *             "decimal": "comma",
                     *             "dates": "day_first",
                     *             "assumed": true
                     *           }
                     *         }
                     *       ],
                     *       "bytes": 1,
                     *       "bytesRead": 1,
                     *       "processed": 1,
                     *       "created": 1,
                     *       "updated": 1,
                     *       "skipped": 1,
                     *       "failed": 1,
                     *       "errorGroups": [
                     *         {
                     *           "column": "Example",
                     *           "detail": "Example",
                     *           "rows": 1,
                     *           "examples": [
                     *             "Example"
                     *           ]
                     *         }
                     *       ],
                     *       "fileUntil": "2026-12-24T18:00:00.000Z",
                     *       "failure": "Example",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "startedAt": "2026-12-24T18:00:00.000Z",
                     *       "endedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContactImportResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "con_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "contact",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "email": "ada@lovelace.example",
                     *       "firstName": "Ada",
                     *       "lastName": "Lovelace",
                     *       "phone": "+44 20 7946 0000",
                     *       "profileImageUrl": "Example",
                     *       "properties": {},
                     *       "ownProperties": [
                     *         "Example"
                     *       ],
                     *       "segments": [
                     *         "seg_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *       ],
                     *       "topics": [
                     *         {
                     *           "subscription": "Example",
                     *           "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *         }
                     *       ],
                     *       "unsubscribed": true,
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    deleteContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    updateContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lastName": "Lovelace"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateContactBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "con_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "contact",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "email": "ada@lovelace.example",
                     *       "firstName": "Ada",
                     *       "lastName": "Lovelace",
                     *       "phone": "+44 20 7946 0000",
                     *       "profileImageUrl": "Example",
                     *       "properties": {},
                     *       "ownProperties": [
                     *         "Example"
                     *       ],
                     *       "segments": [
                     *         "seg_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *       ],
                     *       "topics": [
                     *         {
                     *           "subscription": "Example",
                     *           "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *         }
                     *       ],
                     *       "unsubscribed": true,
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listContactSegments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       "seg_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *     ]
                     */
                    "application/json": string[];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    addContactToSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "segmentId": "seg_01k9q3f7c2e8m9v4x6y8z0a1b3"
                 *     }
                 */
                "application/json": components["schemas"]["AddToSegmentBody"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    getContactTopics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "subscription": "Example",
                     *         "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["TopicSubscriptionResponse"][];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    updateContactTopics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "topics": [
                 *         {
                 *           "id": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                 *           "subscription": "opt_out"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateTopicsBody"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    setContactImageUrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://cdn.example.com/ada.png"
                 *     }
                 */
                "application/json": components["schemas"]["SetImageUrlBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "con_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "contact",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "email": "ada@lovelace.example",
                     *       "firstName": "Ada",
                     *       "lastName": "Lovelace",
                     *       "phone": "+44 20 7946 0000",
                     *       "profileImageUrl": "Example",
                     *       "properties": {},
                     *       "ownProperties": [
                     *         "Example"
                     *       ],
                     *       "segments": [
                     *         "seg_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *       ],
                     *       "topics": [
                     *         {
                     *           "subscription": "Example",
                     *           "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *         }
                     *       ],
                     *       "unsubscribed": true,
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    uploadContactImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description Exactly one file.
                     */
                    file: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "con_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "object": "contact",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "email": "ada@lovelace.example",
                     *       "firstName": "Ada",
                     *       "lastName": "Lovelace",
                     *       "phone": "+44 20 7946 0000",
                     *       "profileImageUrl": "Example",
                     *       "properties": {},
                     *       "ownProperties": [
                     *         "Example"
                     *       ],
                     *       "segments": [
                     *         "seg_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *       ],
                     *       "topics": [
                     *         {
                     *           "subscription": "Example",
                     *           "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *         }
                     *       ],
                     *       "unsubscribed": true,
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    deleteContactImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    removeContactFromSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                contactId: string;
                segmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    getContactActivity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "evt_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *         "object": "activity",
                     *         "type": "Example",
                     *         "occurredAt": "2026-12-24T18:00:00.000Z",
                     *         "referenceId": "Example",
                     *         "referenceName": "Example",
                     *         "metadata": {
                     *           "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ActivityResponse"][];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getContactEngagementScore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "engagement_score",
                     *       "score": 1,
                     *       "tier": "Example",
                     *       "scoredAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EngagementScoreResponse"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    getContactEmailValidationStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "email_validation",
                     *       "status": "Example",
                     *       "reason": "Example",
                     *       "validatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EmailValidationStatusResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    recordContactEmailValidation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "valid",
                 *       "reason": "Confirmed by our own form"
                 *     }
                 */
                "application/json": components["schemas"]["RecordValidationBody"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    refreshContactEngagementScore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "engagement_score",
                     *       "score": 1,
                     *       "tier": "Example",
                     *       "scoredAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EngagementScoreResponse"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Page to read, from 1. */
                page?: number;
                /** @description Items a page. */
                size?: number;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "whk_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "name": "Orders",
                     *           "url": "https://shop.example/orders/7",
                     *           "events": [
                     *             "Example"
                     *           ],
                     *           "filters": [
                     *             {
                     *               "field": "Example",
                     *               "operator": "eq",
                     *               "value": "Example"
                     *             }
                     *           ],
                     *           "transformations": [
                     *             {
                     *               "type": "add_field",
                     *               "field": "data.source",
                     *               "value": "mailroom"
                     *             }
                     *           ],
                     *           "enabled": true,
                     *           "disabledReason": "Example",
                     *           "failingSince": "2026-12-24T18:00:00.000Z",
                     *           "formerSecretUntil": "2026-12-24T18:00:00.000Z",
                     *           "health": {
                     *             "attempted": 1,
                     *             "succeeded": 1,
                     *             "recovered": 1,
                     *             "failed": 1,
                     *             "retrying": 1,
                     *             "nextAttemptAt": "2026-12-24T18:00:00.000Z",
                     *             "lastSuccessAt": "2026-12-24T18:00:00.000Z",
                     *             "lastFailureAt": "2026-12-24T18:00:00.000Z"
                     *           },
                     *           "createdAt": "2026-12-24T18:00:00.000Z",
                     *           "updatedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "page": 1,
                     *         "size": 1,
                     *         "total": 1,
                     *         "totalPages": 1,
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Page_WebhookResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://hooks.example.com/mailroom",
                 *       "events": [
                 *         "email.delivered",
                 *         "email.bounced"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whk_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "name": "Orders",
                     *       "url": "https://shop.example/orders/7",
                     *       "events": [
                     *         "Example"
                     *       ],
                     *       "filters": [
                     *         {
                     *           "field": "Example",
                     *           "operator": "eq",
                     *           "value": "Example"
                     *         }
                     *       ],
                     *       "transformations": [
                     *         {
                     *           "type": "add_field",
                     *           "field": "data.source",
                     *           "value": "mailroom"
                     *         }
                     *       ],
                     *       "enabled": true,
                     *       "disabledReason": "Example",
                     *       "failingSince": "2026-12-24T18:00:00.000Z",
                     *       "formerSecretUntil": "2026-12-24T18:00:00.000Z",
                     *       "health": {
                     *         "attempted": 1,
                     *         "succeeded": 1,
                     *         "recovered": 1,
                     *         "failed": 1,
                     *         "retrying": 1,
                     *         "nextAttemptAt": "2026-12-24T18:00:00.000Z",
                     *         "lastSuccessAt": "2026-12-24T18:00:00.000Z",
                     *         "lastFailureAt": "2026-12-24T18:00:00.000Z"
                     *       },
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z",
                     *       "secret": "Example"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookCreateResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whk_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "name": "Orders",
                     *       "url": "https://shop.example/orders/7",
                     *       "events": [
                     *         "Example"
                     *       ],
                     *       "filters": [
                     *         {
                     *           "field": "Example",
                     *           "operator": "eq",
                     *           "value": "Example"
                     *         }
                     *       ],
                     *       "transformations": [
                     *         {
                     *           "type": "add_field",
                     *           "field": "data.source",
                     *           "value": "mailroom"
                     *         }
                     *       ],
                     *       "enabled": true,
                     *       "disabledReason": "Example",
                     *       "failingSince": "2026-12-24T18:00:00.000Z",
                     *       "formerSecretUntil": "2026-12-24T18:00:00.000Z",
                     *       "health": {
                     *         "attempted": 1,
                     *         "succeeded": 1,
                     *         "recovered": 1,
                     *         "failed": 1,
                     *         "retrying": 1,
                     *         "nextAttemptAt": "2026-12-24T18:00:00.000Z",
                     *         "lastSuccessAt": "2026-12-24T18:00:00.000Z",
                     *         "lastFailureAt": "2026-12-24T18:00:00.000Z"
                     *       },
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Orders"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWebhookBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whk_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "name": "Orders",
                     *       "url": "https://shop.example/orders/7",
                     *       "events": [
                     *         "Example"
                     *       ],
                     *       "filters": [
                     *         {
                     *           "field": "Example",
                     *           "operator": "eq",
                     *           "value": "Example"
                     *         }
                     *       ],
                     *       "transformations": [
                     *         {
                     *           "type": "add_field",
                     *           "field": "data.source",
                     *           "value": "mailroom"
                     *         }
                     *       ],
                     *       "enabled": true,
                     *       "disabledReason": "Example",
                     *       "failingSince": "2026-12-24T18:00:00.000Z",
                     *       "formerSecretUntil": "2026-12-24T18:00:00.000Z",
                     *       "health": {
                     *         "attempted": 1,
                     *         "succeeded": 1,
                     *         "recovered": 1,
                     *         "failed": 1,
                     *         "retrying": 1,
                     *         "nextAttemptAt": "2026-12-24T18:00:00.000Z",
                     *         "lastSuccessAt": "2026-12-24T18:00:00.000Z",
                     *         "lastFailureAt": "2026-12-24T18:00:00.000Z"
                     *       },
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getWebhookHealth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "attempted": 1,
                     *       "succeeded": 1,
                     *       "recovered": 1,
                     *       "failed": 1,
                     *       "retrying": 1,
                     *       "nextAttemptAt": "2026-12-24T18:00:00.000Z",
                     *       "lastSuccessAt": "2026-12-24T18:00:00.000Z",
                     *       "lastFailureAt": "2026-12-24T18:00:00.000Z",
                     *       "hours": [
                     *         {
                     *           "hour": "2026-12-24T18:00:00.000Z",
                     *           "firstSucceeded": 1,
                     *           "firstFailed": 1
                     *         }
                     *       ],
                     *       "latency": {
                     *         "sample": 1,
                     *         "p50Ms": 1,
                     *         "p95Ms": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookHealthResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    previewWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         "email.sent"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WebhookPreviewBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "eventId": "evt_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "type": "Example",
                     *           "occurredAt": "2026-12-24T18:00:00.000Z",
                     *           "delivered": true,
                     *           "failingFilter": 1,
                     *           "payload": "Example",
                     *           "body": "Example",
                     *           "failure": "Example"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookPreviewResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whk_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "name": "Orders",
                     *       "url": "https://shop.example/orders/7",
                     *       "events": [
                     *         "Example"
                     *       ],
                     *       "filters": [
                     *         {
                     *           "field": "Example",
                     *           "operator": "eq",
                     *           "value": "Example"
                     *         }
                     *       ],
                     *       "transformations": [
                     *         {
                     *           "type": "add_field",
                     *           "field": "data.source",
                     *           "value": "mailroom"
                     *         }
                     *       ],
                     *       "enabled": true,
                     *       "disabledReason": "Example",
                     *       "failingSince": "2026-12-24T18:00:00.000Z",
                     *       "formerSecretUntil": "2026-12-24T18:00:00.000Z",
                     *       "health": {
                     *         "attempted": 1,
                     *         "succeeded": 1,
                     *         "recovered": 1,
                     *         "failed": 1,
                     *         "retrying": 1,
                     *         "nextAttemptAt": "2026-12-24T18:00:00.000Z",
                     *         "lastSuccessAt": "2026-12-24T18:00:00.000Z",
                     *         "lastFailureAt": "2026-12-24T18:00:00.000Z"
                     *       },
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z",
                     *       "secret": "Example"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookCreateResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Page to read, from 1. */
                page?: number;
                /** @description Items a page. */
                size?: number;
                /** @description Additive: only deliveries in this status. */
                status?: "pending" | "processing" | "success" | "failed" | "cancelled";
                /** @description Additive: only deliveries that were created from this time on. */
                since?: string;
                /** @description Additive: only deliveries that were created up to this time. */
                until?: string;
                /** @description Additive: only deliveries that are older than this one. */
                before?: string;
            };
            header?: never;
            path: {
                projectId: string;
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "whd_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "webhookEndpointId": "whk_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "eventId": "evt_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "eventType": "Example",
                     *           "status": "Example",
                     *           "attemptCount": 1,
                     *           "lastStatusCode": 1,
                     *           "lastError": "Example",
                     *           "responseBodySnippet": "Example",
                     *           "nextAttemptAt": "2026-12-24T18:00:00.000Z",
                     *           "payload": "Example",
                     *           "attempts": [
                     *             {
                     *               "at": "2026-12-24T18:00:00.000Z",
                     *               "durationMs": 1,
                     *               "statusCode": 1,
                     *               "error": "Example",
                     *               "requestHeaders": {}
                     *             }
                     *           ],
                     *           "createdAt": "2026-12-24T18:00:00.000Z",
                     *           "updatedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "page": 1,
                     *         "size": 1,
                     *         "total": 1,
                     *         "totalPages": 1,
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Page_WebhookDeliveryResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                endpointId: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whd_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "webhookEndpointId": "whk_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "eventId": "evt_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "eventType": "Example",
                     *       "status": "Example",
                     *       "attemptCount": 1,
                     *       "lastStatusCode": 1,
                     *       "lastError": "Example",
                     *       "responseBodySnippet": "Example",
                     *       "nextAttemptAt": "2026-12-24T18:00:00.000Z",
                     *       "payload": "Example",
                     *       "attempts": [
                     *         {
                     *           "at": "2026-12-24T18:00:00.000Z",
                     *           "durationMs": 1,
                     *           "statusCode": 1,
                     *           "error": "Example",
                     *           "requestHeaders": {}
                     *         }
                     *       ],
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whd_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "webhookEndpointId": "whk_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "eventId": "evt_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "eventType": "Example",
                     *       "status": "Example",
                     *       "attemptCount": 1,
                     *       "lastStatusCode": 1,
                     *       "lastError": "Example",
                     *       "responseBodySnippet": "Example",
                     *       "nextAttemptAt": "2026-12-24T18:00:00.000Z",
                     *       "payload": "Example",
                     *       "attempts": [
                     *         {
                     *           "at": "2026-12-24T18:00:00.000Z",
                     *           "durationMs": 1,
                     *           "statusCode": 1,
                     *           "error": "Example",
                     *           "requestHeaders": {}
                     *         }
                     *       ],
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                endpointId: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    replayWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-11-22T09:00:00Z",
                 *       "dryRun": true
                 *     }
                 */
                "application/json": components["schemas"]["WebhookReplayBody"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReplayResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listInboundRoutes: {
        parameters: {
            query?: {
                /** @description Page to read, from 1. */
                page?: number;
                /** @description Items a page. */
                size?: number;
                /** @description Only routes at the name of this domain of the project, or below it. */
                domainId?: string;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "inr_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "match": "Example",
                     *           "domain": "shop.example",
                     *           "address": "ada@lovelace.example",
                     *           "webhookId": "whk_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "keepDays": 1,
                     *           "test": true,
                     *           "mx": {
                     *             "name": "Orders",
                     *             "value": "Example",
                     *             "priority": 1,
                     *             "state": "published",
                     *             "found": [
                     *               "Example"
                     *             ]
                     *           },
                     *           "lastReceivedAt": "2026-12-24T18:00:00.000Z",
                     *           "createdAt": "2026-12-24T18:00:00.000Z",
                     *           "updatedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "page": 1,
                     *         "size": 1,
                     *         "total": 1,
                     *         "totalPages": 1,
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Page_InboundRoute"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    createInboundRoute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "match": "reply+*",
                 *       "domain": "reply.acme.com",
                 *       "keepDays": 30
                 *     }
                 */
                "application/json": components["schemas"]["CreateInboundRouteBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "inr_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "match": "Example",
                     *       "domain": "shop.example",
                     *       "address": "ada@lovelace.example",
                     *       "webhookId": "whk_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "keepDays": 1,
                     *       "test": true,
                     *       "mx": {
                     *         "name": "Orders",
                     *         "value": "Example",
                     *         "priority": 1,
                     *         "state": "published",
                     *         "found": [
                     *           "Example"
                     *         ]
                     *       },
                     *       "lastReceivedAt": "2026-12-24T18:00:00.000Z",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InboundRoute"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getInboundRoute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                routeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "inr_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "match": "Example",
                     *       "domain": "shop.example",
                     *       "address": "ada@lovelace.example",
                     *       "webhookId": "whk_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "keepDays": 1,
                     *       "test": true,
                     *       "mx": {
                     *         "name": "Orders",
                     *         "value": "Example",
                     *         "priority": 1,
                     *         "state": "published",
                     *         "found": [
                     *           "Example"
                     *         ]
                     *       },
                     *       "lastReceivedAt": "2026-12-24T18:00:00.000Z",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InboundRoute"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    deleteInboundRoute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                routeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    updateInboundRoute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                routeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "keepDays": 90
                 *     }
                 */
                "application/json": components["schemas"]["UpdateInboundRouteBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "inr_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "match": "Example",
                     *       "domain": "shop.example",
                     *       "address": "ada@lovelace.example",
                     *       "webhookId": "whk_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "keepDays": 1,
                     *       "test": true,
                     *       "mx": {
                     *         "name": "Orders",
                     *         "value": "Example",
                     *         "priority": 1,
                     *         "state": "published",
                     *         "found": [
                     *           "Example"
                     *         ]
                     *       },
                     *       "lastReceivedAt": "2026-12-24T18:00:00.000Z",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InboundRoute"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listReceivedEmails: {
        parameters: {
            query?: {
                /** @description Items a page. */
                size?: number;
                /** @description A cursor from an earlier response, unchanged. Omit it for the first page. */
                after?: string;
                /** @description Only what came by this route. */
                route?: string;
                /** @description Only what answers this email. */
                inReplyTo?: string;
                /** @description Only what came to this address. */
                to?: string;
                /** @description Start of the window. */
                from?: string;
                /** @description End of the window. */
                until?: string;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cursor": {
                     *         "nextCursor": "Example",
                     *         "previousCursor": "Example",
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       },
                     *       "data": [
                     *         {
                     *           "id": "inb_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "routeId": "inr_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "to": "ada@lovelace.example",
                     *           "from": "Shop <orders@shop.example>",
                     *           "fromName": "Example",
                     *           "subject": "Your order",
                     *           "plus": "Example",
                     *           "inReplyTo": "email_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "spf": "Example",
                     *           "dkim": "Example",
                     *           "dmarc": "Example",
                     *           "autoSubmitted": true,
                     *           "attachmentCount": 1,
                     *           "size": 1,
                     *           "receivedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ReceivedEmailPage"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getReceivedEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                inboundId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "inb_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "routeId": "inr_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "to": "ada@lovelace.example",
                     *       "from": "Shop <orders@shop.example>",
                     *       "fromName": "Example",
                     *       "subject": "Your order",
                     *       "plus": "Example",
                     *       "inReplyTo": "email_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "spf": "Example",
                     *       "dkim": "Example",
                     *       "dmarc": "Example",
                     *       "autoSubmitted": true,
                     *       "attachmentCount": 1,
                     *       "size": 1,
                     *       "receivedAt": "2026-12-24T18:00:00.000Z",
                     *       "messageId": "<01k9q3f7c2e8m9v4x6y8z0a1b3@shop.example>",
                     *       "replyTo": "help@shop.example",
                     *       "text": "It is on its way.",
                     *       "replyText": "Example",
                     *       "textCut": true,
                     *       "headers": [
                     *         {
                     *           "name": "Orders",
                     *           "value": "Example"
                     *         }
                     *       ],
                     *       "attachments": [
                     *         {
                     *           "number": 1,
                     *           "filename": "Example",
                     *           "contentType": "Example",
                     *           "size": 1
                     *         }
                     *       ],
                     *       "returnPath": "Example",
                     *       "client": "Example",
                     *       "helo": "Example",
                     *       "tls": "Example",
                     *       "keepUntil": "2026-12-24T18:00:00.000Z",
                     *       "deliveries": [
                     *         {
                     *           "id": "whd_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "webhookId": "whk_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "status": "Example",
                     *           "attemptCount": 1,
                     *           "lastError": "Example",
                     *           "createdAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ReceivedEmailDetail"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getReceivedEmailRaw: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                inboundId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "message/rfc822": string;
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getReceivedAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                inboundId: string;
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            default: components["responses"]["Default"];
        };
    };
    deliverReceivedEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                inboundId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description Page to read, from 1. */
                page?: number;
                /** @description Items a page. */
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "name": "Orders",
                     *           "slug": "Example",
                     *           "region": "eu-west-1",
                     *           "status": "Example",
                     *           "suspensionReason": "Example",
                     *           "removedAt": "2026-12-24T18:00:00.000Z",
                     *           "limits": {
                     *             "perSecondSends": 1,
                     *             "dailySends": 1,
                     *             "maxRecipientsPerMessage": 1,
                     *             "maxDomains": 1,
                     *             "maxApiKeys": 1,
                     *             "maxWebhooks": 1
                     *           },
                     *           "trackingSettings": {
                     *             "openTracking": true,
                     *             "clickTracking": true,
                     *             "readEngagement": true,
                     *             "scrollDepth": false,
                     *             "unsubscribeTracking": true
                     *           },
                     *           "branding": {
                     *             "name": "Orders",
                     *             "color": "#1d4ed8",
                     *             "logo": "data:image/png;base64,iVBORw0KGgo="
                     *           },
                     *           "tls": "Example",
                     *           "createdAt": "2026-12-24T18:00:00.000Z",
                     *           "updatedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "page": 1,
                     *         "size": 1,
                     *         "total": 1,
                     *         "totalPages": 1,
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Page_ProjectResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "name": "Orders",
                     *       "slug": "Example",
                     *       "region": "eu-west-1",
                     *       "status": "Example",
                     *       "suspensionReason": "Example",
                     *       "removedAt": "2026-12-24T18:00:00.000Z",
                     *       "limits": {
                     *         "perSecondSends": 1,
                     *         "dailySends": 1,
                     *         "maxRecipientsPerMessage": 1,
                     *         "maxDomains": 1,
                     *         "maxApiKeys": 1,
                     *         "maxWebhooks": 1
                     *       },
                     *       "trackingSettings": {
                     *         "openTracking": true,
                     *         "clickTracking": true,
                     *         "readEngagement": true,
                     *         "scrollDepth": false,
                     *         "unsubscribeTracking": true
                     *       },
                     *       "branding": {
                     *         "name": "Orders",
                     *         "color": "#1d4ed8",
                     *         "logo": "data:image/png;base64,iVBORw0KGgo="
                     *       },
                     *       "tls": "Example",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Shop"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateProjectRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "name": "Orders",
                     *       "slug": "Example",
                     *       "region": "eu-west-1",
                     *       "status": "Example",
                     *       "suspensionReason": "Example",
                     *       "removedAt": "2026-12-24T18:00:00.000Z",
                     *       "limits": {
                     *         "perSecondSends": 1,
                     *         "dailySends": 1,
                     *         "maxRecipientsPerMessage": 1,
                     *         "maxDomains": 1,
                     *         "maxApiKeys": 1,
                     *         "maxWebhooks": 1
                     *       },
                     *       "trackingSettings": {
                     *         "openTracking": true,
                     *         "clickTracking": true,
                     *         "readEngagement": true,
                     *         "scrollDepth": false,
                     *         "unsubscribeTracking": true
                     *       },
                     *       "branding": {
                     *         "name": "Orders",
                     *         "color": "#1d4ed8",
                     *         "logo": "data:image/png;base64,iVBORw0KGgo="
                     *       },
                     *       "tls": "Example",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getProjectSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "limits": {
                     *         "perSecondSends": {
                     *           "value": 1,
                     *           "ceiling": 1,
                     *           "used": 1
                     *         },
                     *         "dailySends": {
                     *           "value": 1,
                     *           "ceiling": 1,
                     *           "used": 1
                     *         },
                     *         "maxRecipientsPerMessage": {
                     *           "value": 1,
                     *           "ceiling": 1,
                     *           "used": 1
                     *         },
                     *         "maxDomains": {
                     *           "value": 1,
                     *           "ceiling": 1,
                     *           "used": 1
                     *         },
                     *         "maxApiKeys": {
                     *           "value": 1,
                     *           "ceiling": 1,
                     *           "used": 1
                     *         },
                     *         "maxWebhooks": {
                     *           "value": 1,
                     *           "ceiling": 1,
                     *           "used": 1
                     *         }
                     *       },
                     *       "today": {
                     *         "resetsAt": "2026-12-24T18:00:00.000Z",
                     *         "perHour": 1,
                     *         "runsOutAt": "2026-12-24T18:00:00.000Z"
                     *       },
                     *       "burst": {
                     *         "size": 1,
                     *         "used": 1
                     *       },
                     *       "storage": {
                     *         "usedBytes": 1,
                     *         "limitBytes": 1
                     *       },
                     *       "region": "eu-west-1",
                     *       "transport": "Example",
                     *       "delivered": "Example"
                     *     }
                     */
                    "application/json": components["schemas"]["ProjectSettings"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getProjectRegion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "region": "eu-west-1",
                     *       "status": "up",
                     *       "since": "2026-12-24T18:00:00.000Z",
                     *       "waiting": 1,
                     *       "reports": "asked",
                     *       "message": "Example",
                     *       "fault": "resolver_silent"
                     *     }
                     */
                    "application/json": components["schemas"]["ProjectRegion"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getProjectCounts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "emails": 1,
                     *       "sandbox": 1,
                     *       "contacts": 1,
                     *       "segments": 1,
                     *       "topics": 1,
                     *       "properties": 1,
                     *       "suppressions": 1,
                     *       "domains": 1,
                     *       "webhooks": 1,
                     *       "apiKeys": 1,
                     *       "attention": {
                     *         "domains": {
                     *           "degraded": 1,
                     *           "failed": 1
                     *         },
                     *         "webhooks": {
                     *           "failing": 1,
                     *           "stopped": 1
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProjectCountsResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "key_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "configId": "Example",
                     *           "name": "Orders",
                     *           "prefix": "Example",
                     *           "start": "Example",
                     *           "organizationId": "org_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "permissions": {},
                     *           "enabled": true,
                     *           "rateLimitEnabled": true,
                     *           "rateLimitMax": 1,
                     *           "rateLimitTimeWindow": 1,
                     *           "remaining": 1,
                     *           "requestCount": 1,
                     *           "lastRequest": "2026-12-24T18:00:00.000Z",
                     *           "expiresAt": "2026-12-24T18:00:00.000Z",
                     *           "allowedAddresses": [
                     *             "Example"
                     *           ],
                     *           "allowedDomains": [
                     *             "Example"
                     *           ],
                     *           "metadata": {},
                     *           "createdAt": "2026-12-24T18:00:00.000Z",
                     *           "updatedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "configId": "Example",
                     *       "name": "Orders",
                     *       "prefix": "Example",
                     *       "start": "Example",
                     *       "organizationId": "org_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "permissions": {},
                     *       "enabled": true,
                     *       "rateLimitEnabled": true,
                     *       "rateLimitMax": 1,
                     *       "rateLimitTimeWindow": 1,
                     *       "remaining": 1,
                     *       "requestCount": 1,
                     *       "lastRequest": "2026-12-24T18:00:00.000Z",
                     *       "expiresAt": "2026-12-24T18:00:00.000Z",
                     *       "allowedAddresses": [
                     *         "Example"
                     *       ],
                     *       "allowedDomains": [
                     *         "Example"
                     *       ],
                     *       "metadata": {},
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getOwnApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keyId": "key_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "name": "Orders",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "region": "eu-west-1",
                     *       "permissions": [
                     *         "Example"
                     *       ],
                     *       "expiresAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["OwnApiKey"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getApiKeyUsage: {
        parameters: {
            query?: {
                /** @description Records to read. */
                limit?: number;
                /** @description Start of the window. */
                after?: string;
                /** @description End of the window. */
                before?: string;
            };
            header?: never;
            path: {
                projectId: string;
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "use_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "requestId": "req_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "keyId": "key_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "method": "Example",
                     *           "route": "POST /v1/emails",
                     *           "statusCode": 1,
                     *           "durationMs": 1,
                     *           "ip": "203.0.113.5",
                     *           "problemCode": "Example",
                     *           "notice": "idempotency_key_unread",
                     *           "ts": "2026-12-24T18:00:00.000Z",
                     *           "orgId": "org_01k9q3f7c2e8m9v4x6y8z0a1b3"
                     *         }
                     *       ],
                     *       "page": {
                     *         "size": 1,
                     *         "totalPages": 1,
                     *         "hasMore": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyUsageResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    exportApiKeyUsage: {
        parameters: {
            query?: {
                /** @description Format of the file. */
                format?: "csv" | "json";
                /** @description Start of the window. */
                after?: string;
                /** @description End of the window. */
                before?: string;
            };
            header?: never;
            path: {
                projectId: string;
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/json": components["schemas"]["ApiKeyUsageRecord"][];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getApiKeyUsageSummary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "days": [
                     *         {
                     *           "day": "Example",
                     *           "requests": 1,
                     *           "refused": 1
                     *         }
                     *       ],
                     *       "hours": [
                     *         {
                     *           "hour": "2026-12-24T18:00:00.000Z",
                     *           "requests": 1,
                     *           "refused": 1
                     *         }
                     *       ],
                     *       "requests": 1,
                     *       "refused": 1,
                     *       "permissions": [
                     *         {
                     *           "permission": "Example",
                     *           "granted": true,
                     *           "requests": 1,
                     *           "lastUsedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ],
                     *       "latency": {
                     *         "sample": 1,
                     *         "p50Ms": 1,
                     *         "p95Ms": 1
                     *       },
                     *       "rotation": {
                     *         "startedAt": "2026-12-24T18:00:00.000Z",
                     *         "endsAt": "2026-12-24T18:00:00.000Z",
                     *         "next": {
                     *           "keyId": "key_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "start": "Example",
                     *           "lastUsedAt": "2026-12-24T18:00:00.000Z",
                     *           "addresses": [
                     *             "Example"
                     *           ],
                     *           "days": [
                     *             {
                     *               "day": "Example",
                     *               "requests": 1,
                     *               "refused": 1
                     *             }
                     *           ],
                     *           "hours": [
                     *             {
                     *               "hour": "2026-12-24T18:00:00.000Z",
                     *               "requests": 1,
                     *               "refused": 1
                     *             }
                     *           ]
                     *         },
                     *         "old": {
                     *           "keyId": "key_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "start": "Example",
                     *           "lastUsedAt": "2026-12-24T18:00:00.000Z",
                     *           "addresses": [
                     *             "Example"
                     *           ],
                     *           "days": [
                     *             {
                     *               "day": "Example",
                     *               "requests": 1,
                     *               "refused": 1
                     *             }
                     *           ],
                     *           "hours": [
                     *             {
                     *               "hour": "2026-12-24T18:00:00.000Z",
                     *               "requests": 1,
                     *               "refused": 1
                     *             }
                     *           ]
                     *         }
                     *       },
                     *       "unused": [
                     *         "Example"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyUsageSummary"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description Items a page. */
                size?: number;
                /** @description A cursor from an earlier response, unchanged. Omit it for the first page. */
                after?: string;
                /** @description Id of a key. */
                key?: string;
                method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @description Part of the route's template, such as `/domains`. */
                route?: string;
                /** @description A status such as `404`, or a class such as `4xx`. */
                status?: string;
                /** @description Start of the window. */
                from?: string;
                /** @description End of the window. */
                to?: string;
                /** @description Id of an email or something else: the request that made it. The window is that of its making. */
                made?: string;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cursor": {
                     *         "nextCursor": "Example",
                     *         "previousCursor": "Example",
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       },
                     *       "data": [
                     *         {
                     *           "id": "use_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "requestId": "req_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "keyId": "key_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "method": "Example",
                     *           "route": "POST /v1/emails",
                     *           "statusCode": 1,
                     *           "durationMs": 1,
                     *           "ip": "203.0.113.5",
                     *           "problemCode": "Example",
                     *           "notice": "idempotency_key_unread",
                     *           "ts": "2026-12-24T18:00:00.000Z",
                     *           "keyName": "Example"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RequestPage"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                requestId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "use_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "requestId": "req_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "keyId": "key_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "method": "Example",
                     *       "route": "POST /v1/emails",
                     *       "statusCode": 1,
                     *       "durationMs": 1,
                     *       "ip": "203.0.113.5",
                     *       "problemCode": "Example",
                     *       "notice": "idempotency_key_unread",
                     *       "ts": "2026-12-24T18:00:00.000Z",
                     *       "keyName": "Example",
                     *       "problemDetail": "Example",
                     *       "problemFields": [
                     *         {
                     *           "pointer": "Example",
                     *           "detail": "Example"
                     *         }
                     *       ],
                     *       "userAgent": "Mozilla/5.0",
                     *       "idempotencyKey": "Example",
                     *       "objectIds": [
                     *         "Example"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RequestDetail"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listEmails: {
        parameters: {
            query?: {
                /** @description Page to read, from 1. */
                page?: number;
                /** @description Items a page. */
                size?: number;
                /** @description One status, or several separated by commas: `scheduled`, `queued`, `sending`, `delivery_delayed`, `sent`, `delivered`, `opened`, `clicked`, `complained`, `bounced`, `failed`, `rejected`, `suppressed`, `cancelled`, `test`, `indeterminate`. */
                status?: string;
                /** @description Exact address among to, cc and bcc. */
                recipient?: string;
                /** @description Part of the sender. */
                from?: string;
                /** @description Part of the subject. */
                subject?: string;
                /** @description Sending domain. */
                domainId?: string;
                /** @description Topic. */
                topicId?: string;
                /** @description Broadcast. */
                broadcastId?: string;
                /** @description A tag's name, or its name and value as `name:value`. */
                tag?: string;
                /** @description Sent at or after. */
                after?: string;
                /** @description Sent before. */
                before?: string;
                /** @description Additive: words that must each occur in the recipients, their names, the subject, the sender or a tag as `name:value`. Case and accents are ignored, and one character is enough. Or an email id, or the beginning of one, starting with `email_`. Only the first 4,000 characters of an email with very many recipients are searched. */
                search?: string;
                /** @description Additive: up to 100 ids of emails, separated by commas. */
                ids?: string;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "email_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "status": "Example",
                     *           "from": "Shop <orders@shop.example>",
                     *           "to": [
                     *             "ada@lovelace.example"
                     *           ],
                     *           "cc": [
                     *             "Example"
                     *           ],
                     *           "bcc": [
                     *             "Example"
                     *           ],
                     *           "replyTo": "help@shop.example",
                     *           "subject": "Your order",
                     *           "html": "<p>It is on its way.</p>",
                     *           "text": "It is on its way.",
                     *           "messageId": "<01k9q3f7c2e8m9v4x6y8z0a1b3@shop.example>",
                     *           "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "broadcastId": "bc_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "sendTimeCategory": "transactional",
                     *           "trackingSettings": {
                     *             "openTracking": true,
                     *             "clickTracking": true,
                     *             "readEngagement": true,
                     *             "unsubscribeTracking": true
                     *           },
                     *           "tags": {},
                     *           "metadata": {},
                     *           "testMode": true,
                     *           "error": "Example",
                     *           "scheduledAt": "2026-12-24T18:00:00.000Z",
                     *           "tls": "Example",
                     *           "sentAt": "2026-12-24T18:00:00.000Z",
                     *           "createdAt": "2026-12-24T18:00:00.000Z",
                     *           "updatedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "page": 1,
                     *         "size": 1,
                     *         "total": 1,
                     *         "totalPages": 1,
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       },
                     *       "totalIsMinimum": true,
                     *       "searchedTo": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Page_EmailDetailResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    countEmails: {
        parameters: {
            query?: {
                /** @description Additive: words that must each occur in the recipients, their names, the subject, the sender or a tag as `name:value`. Case and accents are ignored, and one character is enough. Or an email id, or the beginning of one, starting with `email_`. Only the first 4,000 characters of an email with very many recipients are searched. */
                search?: string;
                /** @description Exact address among to, cc and bcc. */
                recipient?: string;
                /** @description Sending domain. */
                domainId?: string;
                /** @description Topic. */
                topicId?: string;
                /** @description Broadcast. */
                broadcastId?: string;
                /** @description A tag's name, or its name and value as `name:value`. */
                tag?: string;
                /** @description Sent at or after. */
                after?: string;
                /** @description Sent before. */
                before?: string;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 1,
                     *       "complete": true,
                     *       "statuses": [
                     *         {
                     *           "status": "scheduled",
                     *           "count": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EmailCounts"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    cancelEmails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "email_01k9q3f7c2e8m9v4x6y8z0a1b3"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CancelEmailsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cancelled": 1,
                     *       "data": [
                     *         {
                     *           "id": "Example",
                     *           "result": "cancelled",
                     *           "status": "Example"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CancelEmailsResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    checkRecipients: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "addresses": [
                 *         "ada@lovelace.example"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CheckRecipientsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "address": "ada@lovelace.example",
                     *           "state": "sendable",
                     *           "reason": "Example",
                     *           "detail": "Example"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CheckRecipientsResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    exportEmails: {
        parameters: {
            query?: {
                /** @description One status, or several separated by commas: `scheduled`, `queued`, `sending`, `delivery_delayed`, `sent`, `delivered`, `opened`, `clicked`, `complained`, `bounced`, `failed`, `rejected`, `suppressed`, `cancelled`, `test`, `indeterminate`. */
                status?: string;
                /** @description Exact address among to, cc and bcc. */
                recipient?: string;
                /** @description Part of the sender. */
                from?: string;
                /** @description Part of the subject. */
                subject?: string;
                /** @description Sending domain. */
                domainId?: string;
                /** @description Topic. */
                topicId?: string;
                /** @description Broadcast. */
                broadcastId?: string;
                /** @description A tag's name, or its name and value as `name:value`. */
                tag?: string;
                /** @description Sent at or after. */
                after?: string;
                /** @description Sent before. */
                before?: string;
                /** @description Additive: words that must each occur in the recipients, their names, the subject, the sender or a tag as `name:value`. Case and accents are ignored, and one character is enough. Or an email id, or the beginning of one, starting with `email_`. Only the first 4,000 characters of an email with very many recipients are searched. */
                search?: string;
                /** @description Additive: up to 100 ids of emails, separated by commas. */
                ids?: string;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getProjectEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                emailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "email_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "status": "Example",
                     *       "from": "Shop <orders@shop.example>",
                     *       "to": [
                     *         "ada@lovelace.example"
                     *       ],
                     *       "cc": [
                     *         "Example"
                     *       ],
                     *       "bcc": [
                     *         "Example"
                     *       ],
                     *       "replyTo": "help@shop.example",
                     *       "subject": "Your order",
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way.",
                     *       "messageId": "<01k9q3f7c2e8m9v4x6y8z0a1b3@shop.example>",
                     *       "topicId": "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "broadcastId": "bc_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "sendTimeCategory": "transactional",
                     *       "trackingSettings": {
                     *         "openTracking": true,
                     *         "clickTracking": true,
                     *         "readEngagement": true,
                     *         "unsubscribeTracking": true
                     *       },
                     *       "tags": {},
                     *       "metadata": {},
                     *       "testMode": true,
                     *       "error": "Example",
                     *       "scheduledAt": "2026-12-24T18:00:00.000Z",
                     *       "tls": "Example",
                     *       "sentAt": "2026-12-24T18:00:00.000Z",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EmailDetailResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getEmailTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                emailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "evt_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "type": "Example",
                     *           "occurredAt": "2026-12-24T18:00:00.000Z",
                     *           "createdAt": "2026-12-24T18:00:00.000Z",
                     *           "payload": {},
                     *           "providerEventId": "Example"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EmailTimelineResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listEmailDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                emailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "dlv_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "role": "to",
                     *           "address": "ada@lovelace.example",
                     *           "status": "Example",
                     *           "attempts": [
                     *             {
                     *               "id": "att_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *               "attempt": 1,
                     *               "outcome": "Example",
                     *               "phase": "Example",
                     *               "code": 1,
                     *               "enhanced": "Example",
                     *               "text": "It is on its way.",
                     *               "remote": "Example",
                     *               "tls": "Example",
                     *               "tlsLevel": "Example",
                     *               "tlsPolicy": "Example",
                     *               "source": "Example",
                     *               "ehloName": "Example",
                     *               "conversation": [
                     *                 "Example"
                     *               ],
                     *               "startedAt": "2026-12-24T18:00:00.000Z",
                     *               "endedAt": "2026-12-24T18:00:00.000Z"
                     *             }
                     *           ],
                     *           "nextAttemptAt": "2026-12-24T18:00:00.000Z",
                     *           "bounceType": "Example",
                     *           "bounceCode": "Example",
                     *           "diagnostic": "Example",
                     *           "suppressedBy": "Example",
                     *           "suppressedDetail": "Example",
                     *           "sentAt": "2026-12-24T18:00:00.000Z",
                     *           "deliveredAt": "2026-12-24T18:00:00.000Z",
                     *           "endedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getEmailExplanation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                emailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "emailId": "email_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "status": "scheduled",
                     *       "severity": "none",
                     *       "cause": "Example",
                     *       "fix": "Example",
                     *       "page": "domains",
                     *       "acceptedWith": {
                     *         "keyId": "key_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *         "name": "Orders"
                     *       },
                     *       "signedAt": "2026-12-24T18:00:00.000Z",
                     *       "recipients": [
                     *         {
                     *           "id": "dlv_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "role": "to",
                     *           "address": "ada@lovelace.example",
                     *           "status": "Example",
                     *           "attempts": [
                     *             {
                     *               "id": "att_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *               "attempt": 1,
                     *               "outcome": "Example",
                     *               "phase": "Example",
                     *               "code": 1,
                     *               "enhanced": "Example",
                     *               "text": "It is on its way.",
                     *               "remote": "Example",
                     *               "tls": "Example",
                     *               "tlsLevel": "Example",
                     *               "tlsPolicy": "Example",
                     *               "source": "Example",
                     *               "ehloName": "Example",
                     *               "conversation": [
                     *                 "Example"
                     *               ],
                     *               "startedAt": "2026-12-24T18:00:00.000Z",
                     *               "endedAt": "2026-12-24T18:00:00.000Z"
                     *             }
                     *           ],
                     *           "nextAttemptAt": "2026-12-24T18:00:00.000Z",
                     *           "bounceType": "Example",
                     *           "bounceCode": "Example",
                     *           "diagnostic": "Example",
                     *           "suppressedBy": "Example",
                     *           "suppressedDetail": "Example",
                     *           "sentAt": "2026-12-24T18:00:00.000Z",
                     *           "deliveredAt": "2026-12-24T18:00:00.000Z",
                     *           "endedAt": "2026-12-24T18:00:00.000Z",
                     *           "severity": "none",
                     *           "cause": "Example",
                     *           "fix": "Example",
                     *           "page": "domains",
                     *           "evidence": "Example",
                     *           "sandboxCopy": {
                     *             "id": "msg_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *             "dkim": "Example",
                     *             "spf": "Example",
                     *             "dmarc": "Example"
                     *           },
                     *           "decisions": [
                     *             {
                     *               "at": "2026-12-24T18:00:00.000Z",
                     *               "decision": "accepted",
                     *               "reason": "Example",
                     *               "sentence": "Example"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "events": [
                     *         {
                     *           "id": "evt_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "type": "Example",
                     *           "occurredAt": "2026-12-24T18:00:00.000Z",
                     *           "createdAt": "2026-12-24T18:00:00.000Z",
                     *           "payload": {},
                     *           "providerEventId": "Example"
                     *         }
                     *       ],
                     *       "webhookDeliveries": [
                     *         {
                     *           "id": "whd_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "webhookEndpointId": "whk_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "eventId": "evt_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "eventType": "Example",
                     *           "status": "Example",
                     *           "attemptCount": 1,
                     *           "lastStatusCode": 1,
                     *           "lastError": "Example",
                     *           "responseBodySnippet": "Example",
                     *           "nextAttemptAt": "2026-12-24T18:00:00.000Z",
                     *           "payload": "Example",
                     *           "attempts": [
                     *             {
                     *               "at": "2026-12-24T18:00:00.000Z",
                     *               "durationMs": 1,
                     *               "statusCode": 1,
                     *               "error": "Example",
                     *               "requestHeaders": {}
                     *             }
                     *           ],
                     *           "createdAt": "2026-12-24T18:00:00.000Z",
                     *           "updatedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EmailExplanation"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getEmailRaw: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                emailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "message/rfc822": string;
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listDomains: {
        parameters: {
            query?: {
                /** @description Page to read, from 1. */
                page?: number;
                /** @description Items a page. */
                size?: number;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "dom_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "domain": "shop.example",
                     *           "region": "eu-west-1",
                     *           "status": "Example",
                     *           "dkimStatus": "Example",
                     *           "trackingStatus": "Example",
                     *           "bimiStatus": "Example",
                     *           "updatedAt": "2026-12-24T18:00:00.000Z",
                     *           "mailFromStatus": "Example",
                     *           "dmarcStatus": "Example",
                     *           "transport": "Example"
                     *         }
                     *       ],
                     *       "page": {
                     *         "page": 1,
                     *         "size": 1,
                     *         "total": 1,
                     *         "totalPages": 1,
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Page_DomainListItemResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    registerDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "domain": "acme.example",
                 *       "region": "eu-west-1"
                 *     }
                 */
                "application/json": components["schemas"]["RegisterDomainRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dom_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "domain": "shop.example",
                     *       "region": "eu-west-1",
                     *       "status": "Example",
                     *       "dkimStatus": "Example",
                     *       "spfStatus": "Example",
                     *       "dmarcStatus": "Example",
                     *       "mailFromDomain": "Example",
                     *       "mailFromStatus": "Example",
                     *       "trackingStatus": "Example",
                     *       "bimiStatus": "Example",
                     *       "bimiLogoUrl": "Example",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z",
                     *       "verifiedAt": "2026-12-24T18:00:00.000Z",
                     *       "stopsSendingAt": "2026-12-24T18:00:00.000Z",
                     *       "oldRecordsCountUntil": "2026-12-24T18:00:00.000Z",
                     *       "verificationRecords": {
                     *         "dkim": [
                     *           {
                     *             "name": "Orders",
                     *             "type": "Example",
                     *             "value": "Example",
                     *             "status": "Example",
                     *             "found": [
                     *               "Example"
                     *             ],
                     *             "likelyCause": {
                     *               "code": "Example",
                     *               "message": "Example",
                     *               "fix": "Example",
                     *               "foundAt": "Example"
                     *             },
                     *             "retired": {
                     *               "value": "Example",
                     *               "keepUntil": "2026-12-24T18:00:00.000Z"
                     *             }
                     *           }
                     *         ],
                     *         "mailFromMx": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "mailFromSpf": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "dmarcRecommended": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "dmarcUnreadable": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "bimi": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "trackingCname": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         }
                     *       },
                     *       "transport": "Example",
                     *       "checkedAt": "2026-12-24T18:00:00.000Z",
                     *       "nextCheckAt": "2026-12-24T18:00:00.000Z",
                     *       "zone": "Example",
                     *       "nameServers": [
                     *         "Example"
                     *       ],
                     *       "provider": {
                     *         "name": "Orders",
                     *         "dnsPageUrl": "Example",
                     *         "note": "Example"
                     *       },
                     *       "checks": [
                     *         {
                     *           "at": "2026-12-24T18:00:00.000Z",
                     *           "status": "Example",
                     *           "changes": [
                     *             {
                     *               "record": "Example",
                     *               "status": "Example",
                     *               "likelyCause": {
                     *                 "code": "Example",
                     *                 "message": "Example",
                     *                 "fix": "Example",
                     *                 "foundAt": "Example"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DomainResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dom_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "domain": "shop.example",
                     *       "region": "eu-west-1",
                     *       "status": "Example",
                     *       "dkimStatus": "Example",
                     *       "spfStatus": "Example",
                     *       "dmarcStatus": "Example",
                     *       "mailFromDomain": "Example",
                     *       "mailFromStatus": "Example",
                     *       "trackingStatus": "Example",
                     *       "bimiStatus": "Example",
                     *       "bimiLogoUrl": "Example",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z",
                     *       "verifiedAt": "2026-12-24T18:00:00.000Z",
                     *       "stopsSendingAt": "2026-12-24T18:00:00.000Z",
                     *       "oldRecordsCountUntil": "2026-12-24T18:00:00.000Z",
                     *       "verificationRecords": {
                     *         "dkim": [
                     *           {
                     *             "name": "Orders",
                     *             "type": "Example",
                     *             "value": "Example",
                     *             "status": "Example",
                     *             "found": [
                     *               "Example"
                     *             ],
                     *             "likelyCause": {
                     *               "code": "Example",
                     *               "message": "Example",
                     *               "fix": "Example",
                     *               "foundAt": "Example"
                     *             },
                     *             "retired": {
                     *               "value": "Example",
                     *               "keepUntil": "2026-12-24T18:00:00.000Z"
                     *             }
                     *           }
                     *         ],
                     *         "mailFromMx": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "mailFromSpf": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "dmarcRecommended": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "dmarcUnreadable": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "bimi": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "trackingCname": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         }
                     *       },
                     *       "transport": "Example",
                     *       "checkedAt": "2026-12-24T18:00:00.000Z",
                     *       "nextCheckAt": "2026-12-24T18:00:00.000Z",
                     *       "zone": "Example",
                     *       "nameServers": [
                     *         "Example"
                     *       ],
                     *       "provider": {
                     *         "name": "Orders",
                     *         "dnsPageUrl": "Example",
                     *         "note": "Example"
                     *       },
                     *       "checks": [
                     *         {
                     *           "at": "2026-12-24T18:00:00.000Z",
                     *           "status": "Example",
                     *           "changes": [
                     *             {
                     *               "record": "Example",
                     *               "status": "Example",
                     *               "likelyCause": {
                     *                 "code": "Example",
                     *                 "message": "Example",
                     *                 "fix": "Example",
                     *                 "foundAt": "Example"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DomainResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    deleteDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    updateDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "trackingDomain": "go.acme.example"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateDomainRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dom_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "domain": "shop.example",
                     *       "region": "eu-west-1",
                     *       "status": "Example",
                     *       "dkimStatus": "Example",
                     *       "spfStatus": "Example",
                     *       "dmarcStatus": "Example",
                     *       "mailFromDomain": "Example",
                     *       "mailFromStatus": "Example",
                     *       "trackingStatus": "Example",
                     *       "bimiStatus": "Example",
                     *       "bimiLogoUrl": "Example",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z",
                     *       "verifiedAt": "2026-12-24T18:00:00.000Z",
                     *       "stopsSendingAt": "2026-12-24T18:00:00.000Z",
                     *       "oldRecordsCountUntil": "2026-12-24T18:00:00.000Z",
                     *       "verificationRecords": {
                     *         "dkim": [
                     *           {
                     *             "name": "Orders",
                     *             "type": "Example",
                     *             "value": "Example",
                     *             "status": "Example",
                     *             "found": [
                     *               "Example"
                     *             ],
                     *             "likelyCause": {
                     *               "code": "Example",
                     *               "message": "Example",
                     *               "fix": "Example",
                     *               "foundAt": "Example"
                     *             },
                     *             "retired": {
                     *               "value": "Example",
                     *               "keepUntil": "2026-12-24T18:00:00.000Z"
                     *             }
                     *           }
                     *         ],
                     *         "mailFromMx": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "mailFromSpf": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "dmarcRecommended": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "dmarcUnreadable": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "bimi": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "trackingCname": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         }
                     *       },
                     *       "transport": "Example",
                     *       "checkedAt": "2026-12-24T18:00:00.000Z",
                     *       "nextCheckAt": "2026-12-24T18:00:00.000Z",
                     *       "zone": "Example",
                     *       "nameServers": [
                     *         "Example"
                     *       ],
                     *       "provider": {
                     *         "name": "Orders",
                     *         "dnsPageUrl": "Example",
                     *         "note": "Example"
                     *       },
                     *       "checks": [
                     *         {
                     *           "at": "2026-12-24T18:00:00.000Z",
                     *           "status": "Example",
                     *           "changes": [
                     *             {
                     *               "record": "Example",
                     *               "status": "Example",
                     *               "likelyCause": {
                     *                 "code": "Example",
                     *                 "message": "Example",
                     *                 "fix": "Example",
                     *                 "foundAt": "Example"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DomainResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    verifyDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dom_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "domain": "shop.example",
                     *       "region": "eu-west-1",
                     *       "status": "Example",
                     *       "dkimStatus": "Example",
                     *       "spfStatus": "Example",
                     *       "dmarcStatus": "Example",
                     *       "mailFromDomain": "Example",
                     *       "mailFromStatus": "Example",
                     *       "trackingStatus": "Example",
                     *       "bimiStatus": "Example",
                     *       "bimiLogoUrl": "Example",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z",
                     *       "verifiedAt": "2026-12-24T18:00:00.000Z",
                     *       "stopsSendingAt": "2026-12-24T18:00:00.000Z",
                     *       "oldRecordsCountUntil": "2026-12-24T18:00:00.000Z",
                     *       "verificationRecords": {
                     *         "dkim": [
                     *           {
                     *             "name": "Orders",
                     *             "type": "Example",
                     *             "value": "Example",
                     *             "status": "Example",
                     *             "found": [
                     *               "Example"
                     *             ],
                     *             "likelyCause": {
                     *               "code": "Example",
                     *               "message": "Example",
                     *               "fix": "Example",
                     *               "foundAt": "Example"
                     *             },
                     *             "retired": {
                     *               "value": "Example",
                     *               "keepUntil": "2026-12-24T18:00:00.000Z"
                     *             }
                     *           }
                     *         ],
                     *         "mailFromMx": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "mailFromSpf": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "dmarcRecommended": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "dmarcUnreadable": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "bimi": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "trackingCname": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         }
                     *       },
                     *       "transport": "Example",
                     *       "checkedAt": "2026-12-24T18:00:00.000Z",
                     *       "nextCheckAt": "2026-12-24T18:00:00.000Z",
                     *       "zone": "Example",
                     *       "nameServers": [
                     *         "Example"
                     *       ],
                     *       "provider": {
                     *         "name": "Orders",
                     *         "dnsPageUrl": "Example",
                     *         "note": "Example"
                     *       },
                     *       "checks": [
                     *         {
                     *           "at": "2026-12-24T18:00:00.000Z",
                     *           "status": "Example",
                     *           "changes": [
                     *             {
                     *               "record": "Example",
                     *               "status": "Example",
                     *               "likelyCause": {
                     *                 "code": "Example",
                     *                 "message": "Example",
                     *                 "fix": "Example",
                     *                 "foundAt": "Example"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DomainResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getDomainZoneFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/dns": string;
                };
            };
            default: components["responses"]["Default"];
        };
    };
    diagnoseDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "domainId": "dom_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "domain": "shop.example",
                     *       "at": "2026-12-24T18:00:00.000Z",
                     *       "zone": "Example",
                     *       "nameServers": [
                     *         "Example"
                     *       ],
                     *       "provider": {
                     *         "name": "Orders",
                     *         "dnsPageUrl": "Example",
                     *         "note": "Example"
                     *       },
                     *       "records": [
                     *         {
                     *           "record": "Example",
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "expected": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "outcome": "valid",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           },
                     *           "servers": [
                     *             {
                     *               "server": "Example",
                     *               "name": "Orders",
                     *               "outcome": "valid",
                     *               "found": [
                     *                 "Example"
                     *               ],
                     *               "likelyCause": {
                     *                 "code": "Example",
                     *                 "message": "Example",
                     *                 "fix": "Example",
                     *                 "foundAt": "Example"
                     *               },
                     *               "reason": "Example"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "notes": [
                     *         {
                     *           "code": "Example",
                     *           "record": "Example",
                     *           "message": "Example",
                     *           "fix": "Example"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DomainDiagnosis"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getInstallationRecords: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "records": [
                     *         {
                     *           "name": "Orders",
                     *           "type": "TXT",
                     *           "found": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["InstallationRecordsResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listDomainChecks: {
        parameters: {
            query?: {
                /** @description Page to read, from 1. */
                page?: number;
                /** @description Items a page. */
                size?: number;
            };
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "at": "2026-12-24T18:00:00.000Z",
                     *           "status": "Example",
                     *           "changes": [
                     *             {
                     *               "record": "Example",
                     *               "status": "Example",
                     *               "likelyCause": {
                     *                 "code": "Example",
                     *                 "message": "Example",
                     *                 "fix": "Example",
                     *                 "foundAt": "Example"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "page": {
                     *         "page": 1,
                     *         "size": 1,
                     *         "total": 1,
                     *         "totalPages": 1,
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Page_DomainCheck"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    rotateDkim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dom_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "domain": "shop.example",
                     *       "region": "eu-west-1",
                     *       "status": "Example",
                     *       "dkimStatus": "Example",
                     *       "spfStatus": "Example",
                     *       "dmarcStatus": "Example",
                     *       "mailFromDomain": "Example",
                     *       "mailFromStatus": "Example",
                     *       "trackingStatus": "Example",
                     *       "bimiStatus": "Example",
                     *       "bimiLogoUrl": "Example",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z",
                     *       "verifiedAt": "2026-12-24T18:00:00.000Z",
                     *       "stopsSendingAt": "2026-12-24T18:00:00.000Z",
                     *       "oldRecordsCountUntil": "2026-12-24T18:00:00.000Z",
                     *       "verificationRecords": {
                     *         "dkim": [
                     *           {
                     *             "name": "Orders",
                     *             "type": "Example",
                     *             "value": "Example",
                     *             "status": "Example",
                     *             "found": [
                     *               "Example"
                     *             ],
                     *             "likelyCause": {
                     *               "code": "Example",
                     *               "message": "Example",
                     *               "fix": "Example",
                     *               "foundAt": "Example"
                     *             },
                     *             "retired": {
                     *               "value": "Example",
                     *               "keepUntil": "2026-12-24T18:00:00.000Z"
                     *             }
                     *           }
                     *         ],
                     *         "mailFromMx": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "mailFromSpf": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "dmarcRecommended": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "dmarcUnreadable": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "bimi": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "trackingCname": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         }
                     *       },
                     *       "transport": "Example",
                     *       "checkedAt": "2026-12-24T18:00:00.000Z",
                     *       "nextCheckAt": "2026-12-24T18:00:00.000Z",
                     *       "zone": "Example",
                     *       "nameServers": [
                     *         "Example"
                     *       ],
                     *       "provider": {
                     *         "name": "Orders",
                     *         "dnsPageUrl": "Example",
                     *         "note": "Example"
                     *       },
                     *       "checks": [
                     *         {
                     *           "at": "2026-12-24T18:00:00.000Z",
                     *           "status": "Example",
                     *           "changes": [
                     *             {
                     *               "record": "Example",
                     *               "status": "Example",
                     *               "likelyCause": {
                     *                 "code": "Example",
                     *                 "message": "Example",
                     *                 "fix": "Example",
                     *                 "foundAt": "Example"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DomainResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    verifyBimi: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dom_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "domain": "shop.example",
                     *       "region": "eu-west-1",
                     *       "status": "Example",
                     *       "dkimStatus": "Example",
                     *       "spfStatus": "Example",
                     *       "dmarcStatus": "Example",
                     *       "mailFromDomain": "Example",
                     *       "mailFromStatus": "Example",
                     *       "trackingStatus": "Example",
                     *       "bimiStatus": "Example",
                     *       "bimiLogoUrl": "Example",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z",
                     *       "verifiedAt": "2026-12-24T18:00:00.000Z",
                     *       "stopsSendingAt": "2026-12-24T18:00:00.000Z",
                     *       "oldRecordsCountUntil": "2026-12-24T18:00:00.000Z",
                     *       "verificationRecords": {
                     *         "dkim": [
                     *           {
                     *             "name": "Orders",
                     *             "type": "Example",
                     *             "value": "Example",
                     *             "status": "Example",
                     *             "found": [
                     *               "Example"
                     *             ],
                     *             "likelyCause": {
                     *               "code": "Example",
                     *               "message": "Example",
                     *               "fix": "Example",
                     *               "foundAt": "Example"
                     *             },
                     *             "retired": {
                     *               "value": "Example",
                     *               "keepUntil": "2026-12-24T18:00:00.000Z"
                     *             }
                     *           }
                     *         ],
                     *         "mailFromMx": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "mailFromSpf": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "dmarcRecommended": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "dmarcUnreadable": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "bimi": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "trackingCname": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         }
                     *       },
                     *       "transport": "Example",
                     *       "checkedAt": "2026-12-24T18:00:00.000Z",
                     *       "nextCheckAt": "2026-12-24T18:00:00.000Z",
                     *       "zone": "Example",
                     *       "nameServers": [
                     *         "Example"
                     *       ],
                     *       "provider": {
                     *         "name": "Orders",
                     *         "dnsPageUrl": "Example",
                     *         "note": "Example"
                     *       },
                     *       "checks": [
                     *         {
                     *           "at": "2026-12-24T18:00:00.000Z",
                     *           "status": "Example",
                     *           "changes": [
                     *             {
                     *               "record": "Example",
                     *               "status": "Example",
                     *               "likelyCause": {
                     *                 "code": "Example",
                     *                 "message": "Example",
                     *                 "fix": "Example",
                     *                 "foundAt": "Example"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DomainResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getBimi: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "Example",
                     *       "logoUrl": "Example",
                     *       "vmcUrl": "Example",
                     *       "warnings": [
                     *         "Example"
                     *       ],
                     *       "gates": [
                     *         {
                     *           "code": "dmarc-domain",
                     *           "outcome": "passed",
                     *           "message": "Example",
                     *           "fix": "Example"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BimiState"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    updateBimi: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "logoUrl": "https://example.com/mailroom"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateBimiRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dom_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "projectId": "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "domain": "shop.example",
                     *       "region": "eu-west-1",
                     *       "status": "Example",
                     *       "dkimStatus": "Example",
                     *       "spfStatus": "Example",
                     *       "dmarcStatus": "Example",
                     *       "mailFromDomain": "Example",
                     *       "mailFromStatus": "Example",
                     *       "trackingStatus": "Example",
                     *       "bimiStatus": "Example",
                     *       "bimiLogoUrl": "Example",
                     *       "createdAt": "2026-12-24T18:00:00.000Z",
                     *       "updatedAt": "2026-12-24T18:00:00.000Z",
                     *       "verifiedAt": "2026-12-24T18:00:00.000Z",
                     *       "stopsSendingAt": "2026-12-24T18:00:00.000Z",
                     *       "oldRecordsCountUntil": "2026-12-24T18:00:00.000Z",
                     *       "verificationRecords": {
                     *         "dkim": [
                     *           {
                     *             "name": "Orders",
                     *             "type": "Example",
                     *             "value": "Example",
                     *             "status": "Example",
                     *             "found": [
                     *               "Example"
                     *             ],
                     *             "likelyCause": {
                     *               "code": "Example",
                     *               "message": "Example",
                     *               "fix": "Example",
                     *               "foundAt": "Example"
                     *             },
                     *             "retired": {
                     *               "value": "Example",
                     *               "keepUntil": "2026-12-24T18:00:00.000Z"
                     *             }
                     *           }
                     *         ],
                     *         "mailFromMx": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "mailFromSpf": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "dmarcRecommended": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "dmarcUnreadable": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "bimi": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         },
                     *         "trackingCname": {
                     *           "name": "Orders",
                     *           "type": "Example",
                     *           "value": "Example",
                     *           "priority": 1,
                     *           "optional": true,
                     *           "status": "Example",
                     *           "oldValue": "Example",
                     *           "found": [
                     *             "Example"
                     *           ],
                     *           "likelyCause": {
                     *             "code": "Example",
                     *             "message": "Example",
                     *             "fix": "Example",
                     *             "foundAt": "Example"
                     *           }
                     *         }
                     *       },
                     *       "transport": "Example",
                     *       "checkedAt": "2026-12-24T18:00:00.000Z",
                     *       "nextCheckAt": "2026-12-24T18:00:00.000Z",
                     *       "zone": "Example",
                     *       "nameServers": [
                     *         "Example"
                     *       ],
                     *       "provider": {
                     *         "name": "Orders",
                     *         "dnsPageUrl": "Example",
                     *         "note": "Example"
                     *       },
                     *       "checks": [
                     *         {
                     *           "at": "2026-12-24T18:00:00.000Z",
                     *           "status": "Example",
                     *           "changes": [
                     *             {
                     *               "record": "Example",
                     *               "status": "Example",
                     *               "likelyCause": {
                     *                 "code": "Example",
                     *                 "message": "Example",
                     *                 "fix": "Example",
                     *                 "foundAt": "Example"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DomainResponse"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getBimiLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getDmarcSummary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "domain": "shop.example",
                     *       "from": "Shop <orders@shop.example>",
                     *       "days": 1,
                     *       "reports": 1,
                     *       "messages": 1,
                     *       "aligned": 1,
                     *       "alignedRate": 1,
                     *       "dispositions": {
                     *         "none": 1,
                     *         "quarantine": 1,
                     *         "reject": 1
                     *       },
                     *       "sources": [
                     *         {
                     *           "name": "Orders",
                     *           "kind": "service",
                     *           "addresses": 1,
                     *           "messages": 1,
                     *           "aligned": 1
                     *         }
                     *       ],
                     *       "unknownSources": 1,
                     *       "unknownMessages": 1,
                     *       "timeline": [
                     *         {
                     *           "day": "Example",
                     *           "messages": 1,
                     *           "aligned": 1
                     *         }
                     *       ],
                     *       "policy": "none",
                     *       "tightening": {
                     *         "current": "none",
                     *         "next": "quarantine",
                     *         "safe": true,
                     *         "reason": "Example"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DmarcSummary"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listDmarcReports: {
        parameters: {
            query?: {
                /** @description Items a page. */
                size?: number;
                /** @description A cursor from an earlier response, unchanged. Omit it for the first page. */
                after?: string;
            };
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cursor": {
                     *         "nextCursor": "Example",
                     *         "previousCursor": "Example",
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       },
                     *       "data": [
                     *         {
                     *           "id": "dmr_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "reporter": "Example",
                     *           "reportId": "Example",
                     *           "policyDomain": "Example",
                     *           "policy": "none",
                     *           "beganAt": "2026-12-24T18:00:00.000Z",
                     *           "endedAt": "2026-12-24T18:00:00.000Z",
                     *           "messages": 1,
                     *           "aligned": 1,
                     *           "source": "upload",
                     *           "sender": {
                     *             "address": "ada@lovelace.example",
                     *             "client": "Example",
                     *             "dkim": "Example",
                     *             "spf": "Example",
                     *             "dmarc": "Example"
                     *           },
                     *           "createdAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DmarcReportPage"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    uploadDmarcReports: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description Exactly one file.
                     */
                    file: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accepted": 1,
                     *       "duplicates": 1,
                     *       "refused": 1,
                     *       "results": [
                     *         {
                     *           "file": "Example",
                     *           "status": "accepted",
                     *           "reason": "Example",
                     *           "reporter": "Example",
                     *           "reportId": "Example",
                     *           "messages": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UploadedDmarcReports"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getTlsSummary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "domain": "shop.example",
                     *       "from": "Shop <orders@shop.example>",
                     *       "reports": 1,
                     *       "reporters": 1,
                     *       "succeeded": 1,
                     *       "failed": 1,
                     *       "failures": [
                     *         {
                     *           "result": "Example",
                     *           "policyType": "Example",
                     *           "host": "Example",
                     *           "sessions": 1
                     *         }
                     *       ],
                     *       "timeline": [
                     *         {
                     *           "day": "Example",
                     *           "succeeded": 1,
                     *           "failed": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TlsSummary"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listTlsReports: {
        parameters: {
            query?: {
                /** @description Items a page. */
                size?: number;
                /** @description A cursor from an earlier response, unchanged. Omit it for the first page. */
                after?: string;
            };
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cursor": {
                     *         "nextCursor": "Example",
                     *         "previousCursor": "Example",
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       },
                     *       "data": [
                     *         {
                     *           "id": "tlr_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "reporter": "Example",
                     *           "reportId": "Example",
                     *           "contact": "Example",
                     *           "beganAt": "2026-12-24T18:00:00.000Z",
                     *           "endedAt": "2026-12-24T18:00:00.000Z",
                     *           "succeeded": 1,
                     *           "failed": 1,
                     *           "source": "upload",
                     *           "sender": {
                     *             "address": "ada@lovelace.example",
                     *             "client": "Example",
                     *             "dkim": "Example",
                     *             "spf": "Example",
                     *             "dmarc": "Example"
                     *           },
                     *           "createdAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TlsReportPage"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    uploadTlsReports: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description Exactly one file.
                     */
                    file: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accepted": 1,
                     *       "duplicates": 1,
                     *       "refused": 1,
                     *       "results": [
                     *         {
                     *           "file": "Example",
                     *           "status": "accepted",
                     *           "reason": "Example",
                     *           "reporter": "Example",
                     *           "reportId": "Example",
                     *           "succeeded": 1,
                     *           "failed": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UploadedTlsReports"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getReportMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "address": "ada@lovelace.example",
                     *       "listener": "open",
                     *       "dmarc": {
                     *         "record": {
                     *           "name": "Orders",
                     *           "value": "Example",
                     *           "state": "published"
                     *         },
                     *         "last": {
                     *           "reporter": "Example",
                     *           "sender": {
                     *             "address": "ada@lovelace.example",
                     *             "client": "Example",
                     *             "dkim": "Example",
                     *             "spf": "Example",
                     *             "dmarc": "Example"
                     *           },
                     *           "receivedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       },
                     *       "tls": {
                     *         "record": {
                     *           "name": "Orders",
                     *           "value": "Example",
                     *           "state": "published"
                     *         },
                     *         "last": {
                     *           "reporter": "Example",
                     *           "sender": {
                     *             "address": "ada@lovelace.example",
                     *             "client": "Example",
                     *             "dkim": "Example",
                     *             "spf": "Example",
                     *             "dmarc": "Example"
                     *           },
                     *           "receivedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       },
                     *       "waiting": 1,
                     *       "refused": 1,
                     *       "lastRefused": {
                     *         "from": "Shop <orders@shop.example>",
                     *         "receivedAt": "2026-12-24T18:00:00.000Z",
                     *         "reason": "too_large"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ReportMail"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listReturnedMails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                emailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "inb_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "recipient": "Example",
                     *           "receivedAt": "2026-12-24T18:00:00.000Z",
                     *           "from": "Shop <orders@shop.example>",
                     *           "subject": "Your order",
                     *           "size": 1,
                     *           "kind": "Example",
                     *           "outcome": "Example",
                     *           "matchedBy": "Example",
                     *           "reportingServer": "Example",
                     *           "feedbackType": "Example",
                     *           "recipients": [
                     *             {
                     *               "address": "ada@lovelace.example",
                     *               "action": "Example",
                     *               "status": "Example",
                     *               "replyCode": 1,
                     *               "replyStatus": "Example",
                     *               "reply": "Example"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ReturnedMailList"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getReturnedMailRaw: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                emailId: string;
                mailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "message/rfc822": string;
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listWaitingDestinations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "region": "us-east-1",
                     *           "name": "Orders",
                     *           "state": "flowing",
                     *           "pause": "away",
                     *           "pausedUntil": "2026-12-24T18:00:00.000Z",
                     *           "limitedSince": "2026-12-24T18:00:00.000Z",
                     *           "pacePerMinute": 1,
                     *           "waiting": 1,
                     *           "oldestAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WaitingDestinationList"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    listSandboxMessages: {
        parameters: {
            query?: {
                /** @description Page to read, from 1. */
                page?: number;
                /** @description Items a page. */
                size?: number;
                /** @description Additive: part of recipient, sender or subject. */
                search?: string;
            };
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "msg_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "emailId": "email_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *           "from": "Shop <orders@shop.example>",
                     *           "to": "ada@lovelace.example",
                     *           "subject": "Your order",
                     *           "dkim": "Example",
                     *           "spf": "Example",
                     *           "dmarc": "Example",
                     *           "size": 1,
                     *           "receivedAt": "2026-12-24T18:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "page": 1,
                     *         "size": 1,
                     *         "total": 1,
                     *         "totalPages": 1,
                     *         "hasNextPage": true,
                     *         "hasPreviousPage": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Page_SandboxMessage"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    clearSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
    getSandboxMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "msg_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "emailId": "email_01k9q3f7c2e8m9v4x6y8z0a1b3",
                     *       "from": "Shop <orders@shop.example>",
                     *       "to": "ada@lovelace.example",
                     *       "subject": "Your order",
                     *       "dkim": "Example",
                     *       "spf": "Example",
                     *       "dmarc": "Example",
                     *       "size": 1,
                     *       "receivedAt": "2026-12-24T18:00:00.000Z",
                     *       "mailFrom": "Example",
                     *       "html": "<p>It is on its way.</p>",
                     *       "text": "It is on its way.",
                     *       "headers": [
                     *         {
                     *           "name": "Orders",
                     *           "value": "Example"
                     *         }
                     *       ],
                     *       "attachments": [
                     *         {
                     *           "filename": "Example",
                     *           "contentType": "Example",
                     *           "size": 1
                     *         }
                     *       ],
                     *       "verdicts": {
                     *         "dkim": {
                     *           "result": "Example",
                     *           "domain": "shop.example",
                     *           "selector": "Example",
                     *           "info": "Example"
                     *         },
                     *         "spf": {
                     *           "result": "Example",
                     *           "domain": "shop.example",
                     *           "info": "Example"
                     *         },
                     *         "dmarc": {
                     *           "result": "Example",
                     *           "domain": "shop.example",
                     *           "policy": "Example",
                     *           "info": "Example"
                     *         }
                     *       },
                     *       "raw": "Example"
                     *     }
                     */
                    "application/json": components["schemas"]["SandboxMessageDetail"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    deleteSandboxMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Default"];
        };
    };
}

/** Every code that a problem can have in this release. */
export type ProblemCode =
  | "api_key.already_rotated"
  | "api_key.not_found"
  | "api_key.usage_too_large"
  | "auth.address_not_allowed"
  | "auth.confirmation_required"
  | "auth.invalid_credentials"
  | "auth.key_required"
  | "auth.missing_credentials"
  | "auth.permission_missing"
  | "auth.project_mismatch"
  | "auth.sender_not_allowed"
  | "auth.session_required"
  | "auth.sign_in_links_off"
  | "broadcast.changed_meanwhile"
  | "broadcast.not_found"
  | "broadcast.status_conflict"
  | "contact.already_exists"
  | "contact.not_found"
  | "cursor.not_found"
  | "destination.not_found"
  | "destination.not_paused"
  | "domain.already_registered"
  | "domain.already_verified"
  | "domain.bimi_logo_not_found"
  | "domain.mail_from_taken"
  | "domain.not_found"
  | "domain.region_not_entitled"
  | "domain.standby_not_verified"
  | "egress_address.already_exists"
  | "egress_address.not_found"
  | "egress_address.warm_up_invalid"
  | "email.audience_empty"
  | "email.audience_too_large"
  | "email.from_domain_not_verified"
  | "email.idempotency_conflict"
  | "email.not_cancellable"
  | "email.not_found"
  | "email.not_reschedulable"
  | "email.raw_not_found"
  | "image.too_large"
  | "image.unsupported_type"
  | "image.unusable"
  | "import.file_gone"
  | "import.files_full"
  | "import.not_found"
  | "import.too_many"
  | "inbound_route.already_exists"
  | "inbound_route.not_found"
  | "invite.account_exists"
  | "invite.address_unproven"
  | "invite.not_found"
  | "invite.too_many"
  | "logged_request.not_found"
  | "member.already_exists"
  | "member.last_owner"
  | "member.not_found"
  | "member.own_second_factor_missing"
  | "notice_target.not_found"
  | "operator_mail.not_found"
  | "organization.moved"
  | "passkey.already_exists"
  | "passkey.not_found"
  | "passkey.refused"
  | "passkey.too_many"
  | "project.limit_reached"
  | "project.not_found"
  | "project.slug_taken"
  | "project.storage_full"
  | "project.suspended"
  | "property.already_exists"
  | "property.not_found"
  | "quota.daily_exceeded"
  | "quota.send_rate_exceeded"
  | "rate_limit.exceeded"
  | "received_attachment.not_found"
  | "received_email.no_webhook"
  | "received_email.not_found"
  | "request.invalid"
  | "request.method_not_allowed"
  | "request.not_found"
  | "request.timeout"
  | "request.too_large"
  | "request.too_many"
  | "request.unsupported_media_type"
  | "returned_mail.not_found"
  | "sandbox_message.not_found"
  | "second_factor.not_found"
  | "segment.already_exists"
  | "segment.not_found"
  | "service.internal_error"
  | "service.unavailable"
  | "session.not_found"
  | "setup.not_found"
  | "stream.token_invalid"
  | "suppression.not_found"
  | "template.already_exists"
  | "template.not_found"
  | "topic.not_found"
  | "totp.already_enabled"
  | "totp.not_found"
  | "webhook.not_found"
  | "webhook_delivery.not_found"
