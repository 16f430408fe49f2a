// Generated from the OpenAPI document by `npm run generate`. Do not edit.
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What this server is and where to go next */
        get: operations["getServerInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Liveness; needs no token */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Version of the daemon */
        get: operations["getVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This API as an OpenAPI 3.1 document */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All agents with their capabilities */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One agent */
        get: operations["getAgent"];
        /**
         * Define an agent, or change its definition
         * @description Any program that speaks the Agent Client Protocol over stdio. Sessions that run go on; the change counts when an agent is started the next time.
         */
        put: operations["defineAgent"];
        post?: never;
        /** Remove the definition of an agent; its sessions stay readable */
        delete: operations["removeAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/registry/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fetch the public ACP registry anew
         * @description The list of agents that are known without being defined. A document that cannot be read changes nothing.
         */
        post: operations["refreshAgentRegistry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Install an agent */
        post: operations["installAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/modes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Modes of an agent */
        get: operations["getAgentModes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Models of an agent */
        get: operations["getAgentModels"];
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
        /** All sessions, newest first */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One session */
        get: operations["getSession"];
        put?: never;
        /** Create a session under an id of your choice */
        post: operations["createSession"];
        /** End a session and erase its history */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        /**
         * Change title, model, variant or modes
         * @description The change applies from the next turn and is announced by a `session.updated` event.
         */
        patch: operations["updateSession"];
        trace?: never;
    };
    "/v1/sessions/{session_id}/terminate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a session; its history stays readable */
        post: operations["terminateSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}/transcript": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The conversation so far: items, turns, errors, open requests */
        get: operations["getTranscript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}/wait": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Wait until a session reaches a condition
         * @description For clients that cannot stream. `idle`: nothing runs, waits or is queued; `request`: a permission or question is open; `ended`: the session has ended. Several conditions are separated by commas, the first to hold answers.
         */
        get: operations["waitForSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message; the turn runs in the background
         * @description The id of the message is in the `X-Message-Id` response header.
         */
        post: operations["postMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}/messages/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message and stream its turn
         * @description Closes after the first `turn.ended`, `session.ended`, `error`, `agent.unparsed`, `permission.requested` or `question.requested`.
         */
        post: operations["postMessageStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}/messages/{message_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take a queued message back */
        delete: operations["cancelMessage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}/abort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the running turn and drop queued messages; the session stays */
        post: operations["abortTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A page of a session's events */
        get: operations["getEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}/events/sse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A session's events, past and live */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/sse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The events of all sessions on one stream
         * @description Live from now on; the `Last-Event-ID` response header says where that is. With `Last-Event-ID` or `offset` (the `id` of a frame of this stream, or 0 for everything kept) it continues after that frame. Frames without an `id` are not stored: `install.progress` (InstallProgressEvent).
         */
        get: operations["streamAllEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Open permissions and questions */
        get: operations["getRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}/permissions/{permission_id}/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer a permission request */
        post: operations["replyPermission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}/questions/{question_id}/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer a question */
        post: operations["replyQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session_id}/questions/{question_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decline to answer a question */
        post: operations["rejectQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/acp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Open ACP servers */
        get: operations["listAcpServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/acp/{server_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything an ACP server says, past and live
         * @description Frames are named `message` and numbered from 1. Any number of readers gets all of them.
         */
        get: operations["streamAcpMessages"];
        put?: never;
        /**
         * Send one ACP message to an agent
         * @description The first message, `initialize`, creates the server under an id of your choice. A request is answered with its response, however long that takes; a notification or a response with 202. The response is also on the stream.
         */
        post: operations["postAcpMessage"];
        /**
         * Close an ACP server; its sessions stay in the log
         * @description Running prompts are aborted and agents are closed. Answers at once, also for ids that do not exist.
         */
        delete: operations["closeAcpServer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/acp/{server_id}/socket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An ACP connection over a WebSocket
         * @description One message per text frame, in both directions, as in ACP's remote transport. The server lives as long as the socket.
         */
        get: operations["connectAcp"];
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
        /** @description One JSON-RPC message of the Agent Client Protocol */
        AcpEnvelope: {
            /**
             * @description May be left out
             * @constant
             */
            jsonrpc?: "2.0";
            /** @description Missing in notifications */
            id?: string | number | null;
            /** @description Missing in responses */
            method?: string;
            params?: unknown;
            result?: unknown;
            error?: {
                code: number;
                message: string;
                data?: unknown;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        AcpServerInfo: {
            serverId: string;
            agent: string;
            /** @description Epoch milliseconds */
            createdAtMs: number;
        };
        AcpServerList: {
            servers: components["schemas"]["AcpServerInfo"][];
        };
        /**
         * @description Built in, from the public ACP registry, or defined by a user
         * @enum {string}
         */
        AgentSource: "builtin" | "registry" | "custom";
        AgentInstallSource: {
            /** @constant */
            type: "npm";
            /** @description `name@version`; without a version, the newest when it is installed */
            package: string;
        } | {
            /** @constant */
            type: "archive";
            version: string;
            archives: {
                [key: string]: {
                    /**
                     * Format: uri
                     * @description A .tar.gz, .tgz, .tar.bz2, .tbz2, .tar.xz or .zip file, or the program itself
                     */
                    url: string;
                    sha256?: string;
                };
            };
        };
        /** @description An agent that speaks the Agent Client Protocol over stdio */
        AgentDefinition: {
            /** @description Default: the id */
            name?: string;
            /** @description The program: on PATH or an absolute path; below the archive's folder; or which program of the npm package, where it has several */
            command?: string;
            /** @description Arguments that make it speak ACP, such as `acp` */
            args?: string[];
            /** @description Variables it is started with */
            env?: {
                [key: string]: string;
            };
            /** @description Without it, the program must be there already */
            install?: components["schemas"]["AgentInstallSource"];
            /** @description Provider → variable its key goes into: `anthropic` → `ANTHROPIC_API_KEY` */
            keys?: {
                [key: string]: string;
            };
            /** @description Provider → variable its endpoint goes into */
            endpoints?: {
                [key: string]: string;
            };
            /** @description ACP login method to choose before a session */
            authMethod?: string;
        };
        ShownAgentDefinition: {
            /** @description Default: the id */
            name?: string;
            /** @description The program: on PATH or an absolute path; below the archive's folder; or which program of the npm package, where it has several */
            command?: string;
            /** @description Arguments that make it speak ACP, such as `acp` */
            args?: string[];
            /** @description Names of the variables; their values are not shown */
            env?: string[];
            /** @description Without it, the program must be there already */
            install?: components["schemas"]["AgentInstallSource"];
            /** @description Provider → variable its key goes into: `anthropic` → `ANTHROPIC_API_KEY` */
            keys?: {
                [key: string]: string;
            };
            /** @description Provider → variable its endpoint goes into */
            endpoints?: {
                [key: string]: string;
            };
            /** @description ACP login method to choose before a session */
            authMethod?: string;
        };
        AgentRegistryRefresh: {
            /**
             * Format: uri
             * @description Another address of the document; default: the public one
             */
            url?: string;
        };
        AgentRegistryInfo: {
            /** @description Where the document comes from */
            url: string;
            /**
             * Format: date-time
             * @description When it was fetched
             */
            date: string;
            /** @description Ids of those in it that can run on this machine */
            agents: string[];
        };
        AgentCapabilities: {
            [key: string]: boolean;
        };
        ServerStatus: {
            /** @enum {string} */
            status: "running" | "stopped" | "error";
            baseUrl?: string;
            uptimeMs?: number;
            restartCount: number;
            lastError?: string;
        };
        AgentInfo: {
            id: string;
            name?: string;
            source: components["schemas"]["AgentSource"];
            installed: boolean;
            credentialsAvailable: boolean;
            version?: string;
            path?: string;
            capabilities: components["schemas"]["AgentCapabilities"];
            serverStatus?: components["schemas"]["ServerStatus"];
            /** @description How an agent that is not built in is defined */
            definition?: components["schemas"]["ShownAgentDefinition"];
        };
        AgentList: {
            agents: components["schemas"]["AgentInfo"][];
        };
        InstallRequest: {
            reinstall?: boolean;
            /** @description A version, or `latest`; default: the pinned one */
            agentVersion?: string;
        };
        InstallProgressEvent: {
            /** @constant */
            type: "install.progress";
            /** Format: date-time */
            time: string;
            data: {
                agent: string;
                /** @enum {string} */
                phase: "resolving" | "downloading" | "unpacking" | "done" | "failed";
                message: string;
                fraction?: number;
            };
        };
        AgentMode: {
            id: string;
            name: string;
            description: string;
        };
        AgentModes: {
            modes: components["schemas"]["AgentMode"][];
        };
        AgentModel: {
            id: string;
            name?: string;
            variants?: string[];
            defaultVariant?: string;
        };
        AgentModels: {
            models: components["schemas"]["AgentModel"][];
            defaultModel?: string;
        };
        /** @enum {string} */
        PermissionMode: "default" | "plan" | "bypass" | "acceptEdits";
        TextPart: {
            /** @constant */
            type: "text";
            text: string;
        };
        JsonPart: {
            /** @constant */
            type: "json";
            json: unknown;
        };
        ToolCallPart: {
            /** @constant */
            type: "tool_call";
            name: string;
            /** @description The arguments as a JSON text */
            arguments: string;
            call_id: string;
        };
        ToolResultPart: {
            /** @constant */
            type: "tool_result";
            call_id: string;
            output: string;
        };
        FileRefPart: {
            /** @constant */
            type: "file_ref";
            path: string;
            /** @enum {string} */
            action: "read" | "write" | "patch";
            /** @description Unified diff */
            diff?: string | null;
        };
        ImagePart: {
            /** @constant */
            type: "image";
            path: string;
            mime?: string | null;
        };
        ReasoningPart: {
            /** @constant */
            type: "reasoning";
            text: string;
            /** @enum {string} */
            visibility: "public" | "private";
        };
        StatusPart: {
            /** @constant */
            type: "status";
            label: string;
            detail?: string | null;
        };
        ContentPart: components["schemas"]["TextPart"] | components["schemas"]["JsonPart"] | components["schemas"]["ToolCallPart"] | components["schemas"]["ToolResultPart"] | components["schemas"]["FileRefPart"] | components["schemas"]["ImagePart"] | components["schemas"]["ReasoningPart"] | components["schemas"]["StatusPart"];
        /** @enum {string} */
        ItemKind: "message" | "tool_call" | "tool_result" | "system" | "status" | "unknown";
        /** @enum {string} */
        ItemRole: "user" | "assistant" | "system" | "tool";
        /** @enum {string} */
        ItemStatus: "in_progress" | "completed" | "failed";
        UniversalItem: {
            item_id: string;
            /** @description The agent's own id of this item */
            native_item_id: string | null;
            /** @description item_id of the item this one belongs to (subagents) */
            parent_id: string | null;
            kind: components["schemas"]["ItemKind"];
            role: components["schemas"]["ItemRole"] | null;
            status: components["schemas"]["ItemStatus"];
            content: components["schemas"]["ContentPart"][];
        };
        Attachment: {
            path: string;
            mime?: string;
            filename?: string;
        };
        /**
         * @description What to do while a turn is running: `queue` runs the message after it, `steer` hands it to the running turn where the agent can, `reject` answers 409.
         * @enum {string}
         */
        Delivery: "queue" | "steer" | "reject";
        MessageRequest: {
            message: string;
            attachments?: components["schemas"]["Attachment"][];
            /** @description Default `queue` */
            delivery?: components["schemas"]["Delivery"];
        };
        QueuedMessage: {
            messageId: string;
            message: string;
            attachments?: components["schemas"]["Attachment"][];
            /** @description Epoch milliseconds */
            queuedAt: number;
        };
        /** @enum {string} */
        PermissionReply: "once" | "always" | "reject";
        PermissionReplyRequest: {
            reply: components["schemas"]["PermissionReply"];
        };
        QuestionReplyRequest: {
            /** @description Chosen options, one list per question */
            answers: string[][];
        };
        Usage: {
            input_tokens?: number;
            output_tokens?: number;
            cached_tokens?: number;
            reasoning_tokens?: number;
            cost_usd?: number;
            /** @description Tokens in the context window now */
            context_used?: number;
            /** @description Size of the context window */
            context_window?: number;
        };
        SessionStartedData: {
            /** @description agent, agentMode, permissionMode, model, variant */
            metadata?: {
                [key: string]: unknown;
            };
        };
        SessionUpdatedData: {
            /** @description The settings that changed, named as in session.started */
            metadata: {
                [key: string]: unknown;
            };
        };
        StderrExcerpt: {
            head?: string | null;
            tail?: string | null;
            truncated: boolean;
            total_lines?: number | null;
        };
        SessionEndedData: {
            /** @enum {string} */
            reason: "completed" | "error" | "terminated";
            /** @enum {string} */
            terminated_by: "agent" | "daemon";
            message?: string | null;
            exit_code?: number | null;
            stderr?: components["schemas"]["StderrExcerpt"] | null;
        };
        TurnStartedData: {
            /** @constant */
            phase: "started";
            turn_id?: string | null;
            metadata?: {
                [key: string]: unknown;
            };
        };
        /** @enum {string} */
        TurnEndReason: "completed" | "aborted" | "interrupted" | "stalled" | "terminated" | "failed";
        TurnEndedData: {
            /** @constant */
            phase: "ended";
            turn_id?: string | null;
            metadata?: {
                reason?: components["schemas"]["TurnEndReason"];
                usage?: components["schemas"]["Usage"];
            } & {
                [key: string]: unknown;
            };
        };
        ItemData: {
            item: components["schemas"]["UniversalItem"];
        };
        ItemDeltaData: {
            item_id: string;
            native_item_id?: string | null;
            delta: string;
        };
        PermissionData: {
            permission_id: string;
            action: string;
            /** @enum {string} */
            status: "requested" | "approved" | "denied";
            /** @description On permission.resolved, `reply` is once, always or reject */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        QuestionData: {
            question_id: string;
            prompt: string;
            options: string[];
            /** @enum {string} */
            status: "requested" | "answered" | "rejected";
            /** @description The first chosen option */
            response: string | null;
            /** @description On question.resolved, `answers` holds the whole reply */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        MessageQueuedData: {
            message_id: string;
            message: string;
            attachments?: components["schemas"]["Attachment"][];
        };
        MessageCancelledData: {
            message_id: string;
        };
        ErrorData: {
            message: string;
            code?: string | null;
            details?: unknown;
        };
        AgentUnparsedData: {
            error: string;
            location: string;
            raw_hash?: string | null;
        };
        UniversalEvent: {
            event_id: string;
            /** @description Per session, from 1, without gaps */
            sequence: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            time: string;
            session_id: string;
            native_session_id: string | null;
            /** @enum {string} */
            source: "agent" | "daemon";
            /** @description Made by the daemon to fill a gap of the agent's protocol */
            synthetic: boolean;
            /** @description The agent's own message, only with include_raw */
            raw?: unknown;
            /** @constant */
            type: "session.started";
            data: components["schemas"]["SessionStartedData"];
        } | {
            event_id: string;
            /** @description Per session, from 1, without gaps */
            sequence: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            time: string;
            session_id: string;
            native_session_id: string | null;
            /** @enum {string} */
            source: "agent" | "daemon";
            /** @description Made by the daemon to fill a gap of the agent's protocol */
            synthetic: boolean;
            /** @description The agent's own message, only with include_raw */
            raw?: unknown;
            /** @constant */
            type: "session.updated";
            data: components["schemas"]["SessionUpdatedData"];
        } | {
            event_id: string;
            /** @description Per session, from 1, without gaps */
            sequence: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            time: string;
            session_id: string;
            native_session_id: string | null;
            /** @enum {string} */
            source: "agent" | "daemon";
            /** @description Made by the daemon to fill a gap of the agent's protocol */
            synthetic: boolean;
            /** @description The agent's own message, only with include_raw */
            raw?: unknown;
            /** @constant */
            type: "session.ended";
            data: components["schemas"]["SessionEndedData"];
        } | {
            event_id: string;
            /** @description Per session, from 1, without gaps */
            sequence: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            time: string;
            session_id: string;
            native_session_id: string | null;
            /** @enum {string} */
            source: "agent" | "daemon";
            /** @description Made by the daemon to fill a gap of the agent's protocol */
            synthetic: boolean;
            /** @description The agent's own message, only with include_raw */
            raw?: unknown;
            /** @constant */
            type: "turn.started";
            data: components["schemas"]["TurnStartedData"];
        } | {
            event_id: string;
            /** @description Per session, from 1, without gaps */
            sequence: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            time: string;
            session_id: string;
            native_session_id: string | null;
            /** @enum {string} */
            source: "agent" | "daemon";
            /** @description Made by the daemon to fill a gap of the agent's protocol */
            synthetic: boolean;
            /** @description The agent's own message, only with include_raw */
            raw?: unknown;
            /** @constant */
            type: "turn.ended";
            data: components["schemas"]["TurnEndedData"];
        } | {
            event_id: string;
            /** @description Per session, from 1, without gaps */
            sequence: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            time: string;
            session_id: string;
            native_session_id: string | null;
            /** @enum {string} */
            source: "agent" | "daemon";
            /** @description Made by the daemon to fill a gap of the agent's protocol */
            synthetic: boolean;
            /** @description The agent's own message, only with include_raw */
            raw?: unknown;
            /** @constant */
            type: "item.started";
            data: components["schemas"]["ItemData"];
        } | {
            event_id: string;
            /** @description Per session, from 1, without gaps */
            sequence: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            time: string;
            session_id: string;
            native_session_id: string | null;
            /** @enum {string} */
            source: "agent" | "daemon";
            /** @description Made by the daemon to fill a gap of the agent's protocol */
            synthetic: boolean;
            /** @description The agent's own message, only with include_raw */
            raw?: unknown;
            /** @constant */
            type: "item.delta";
            data: components["schemas"]["ItemDeltaData"];
        } | {
            event_id: string;
            /** @description Per session, from 1, without gaps */
            sequence: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            time: string;
            session_id: string;
            native_session_id: string | null;
            /** @enum {string} */
            source: "agent" | "daemon";
            /** @description Made by the daemon to fill a gap of the agent's protocol */
            synthetic: boolean;
            /** @description The agent's own message, only with include_raw */
            raw?: unknown;
            /** @constant */
            type: "item.completed";
            data: components["schemas"]["ItemData"];
        } | {
            event_id: string;
            /** @description Per session, from 1, without gaps */
            sequence: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            time: string;
            session_id: string;
            native_session_id: string | null;
            /** @enum {string} */
            source: "agent" | "daemon";
            /** @description Made by the daemon to fill a gap of the agent's protocol */
            synthetic: boolean;
            /** @description The agent's own message, only with include_raw */
            raw?: unknown;
            /** @constant */
            type: "permission.requested";
            data: components["schemas"]["PermissionData"];
        } | {
            event_id: string;
            /** @description Per session, from 1, without gaps */
            sequence: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            time: string;
            session_id: string;
            native_session_id: string | null;
            /** @enum {string} */
            source: "agent" | "daemon";
            /** @description Made by the daemon to fill a gap of the agent's protocol */
            synthetic: boolean;
            /** @description The agent's own message, only with include_raw */
            raw?: unknown;
            /** @constant */
            type: "permission.resolved";
            data: components["schemas"]["PermissionData"];
        } | {
            event_id: string;
            /** @description Per session, from 1, without gaps */
            sequence: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            time: string;
            session_id: string;
            native_session_id: string | null;
            /** @enum {string} */
            source: "agent" | "daemon";
            /** @description Made by the daemon to fill a gap of the agent's protocol */
            synthetic: boolean;
            /** @description The agent's own message, only with include_raw */
            raw?: unknown;
            /** @constant */
            type: "question.requested";
            data: components["schemas"]["QuestionData"];
        } | {
            event_id: string;
            /** @description Per session, from 1, without gaps */
            sequence: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            time: string;
            session_id: string;
            native_session_id: string | null;
            /** @enum {string} */
            source: "agent" | "daemon";
            /** @description Made by the daemon to fill a gap of the agent's protocol */
            synthetic: boolean;
            /** @description The agent's own message, only with include_raw */
            raw?: unknown;
            /** @constant */
            type: "question.resolved";
            data: components["schemas"]["QuestionData"];
        } | {
            event_id: string;
            /** @description Per session, from 1, without gaps */
            sequence: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            time: string;
            session_id: string;
            native_session_id: string | null;
            /** @enum {string} */
            source: "agent" | "daemon";
            /** @description Made by the daemon to fill a gap of the agent's protocol */
            synthetic: boolean;
            /** @description The agent's own message, only with include_raw */
            raw?: unknown;
            /** @constant */
            type: "message.queued";
            data: components["schemas"]["MessageQueuedData"];
        } | {
            event_id: string;
            /** @description Per session, from 1, without gaps */
            sequence: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            time: string;
            session_id: string;
            native_session_id: string | null;
            /** @enum {string} */
            source: "agent" | "daemon";
            /** @description Made by the daemon to fill a gap of the agent's protocol */
            synthetic: boolean;
            /** @description The agent's own message, only with include_raw */
            raw?: unknown;
            /** @constant */
            type: "message.cancelled";
            data: components["schemas"]["MessageCancelledData"];
        } | {
            event_id: string;
            /** @description Per session, from 1, without gaps */
            sequence: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            time: string;
            session_id: string;
            native_session_id: string | null;
            /** @enum {string} */
            source: "agent" | "daemon";
            /** @description Made by the daemon to fill a gap of the agent's protocol */
            synthetic: boolean;
            /** @description The agent's own message, only with include_raw */
            raw?: unknown;
            /** @constant */
            type: "error";
            data: components["schemas"]["ErrorData"];
        } | {
            event_id: string;
            /** @description Per session, from 1, without gaps */
            sequence: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC
             */
            time: string;
            session_id: string;
            native_session_id: string | null;
            /** @enum {string} */
            source: "agent" | "daemon";
            /** @description Made by the daemon to fill a gap of the agent's protocol */
            synthetic: boolean;
            /** @description The agent's own message, only with include_raw */
            raw?: unknown;
            /** @constant */
            type: "agent.unparsed";
            data: components["schemas"]["AgentUnparsedData"];
        };
        McpServerConfig: {
            /** @enum {string} */
            type: "local" | "stdio";
            command: string | string[];
            args?: string[];
            env?: {
                [key: string]: string;
            };
            /** @description Alias of env */
            environment?: {
                [key: string]: string;
            };
            cwd?: string;
            enabled?: boolean;
            timeoutMs?: number;
            /** @description Alias of timeoutMs */
            timeout?: number;
        } | {
            /** @enum {string} */
            type: "remote" | "http";
            url: string;
            headers?: {
                [key: string]: string;
            };
            bearerTokenEnvVar?: string;
            envHeaders?: {
                [key: string]: string;
            };
            /** @description Alias of envHeaders */
            envHttpHeaders?: {
                [key: string]: string;
            };
            oauth?: false | {
                clientId?: string;
                clientSecret?: string;
                scope?: string;
            };
            /** @enum {string} */
            transport?: "http" | "sse";
            enabled?: boolean;
            timeoutMs?: number;
            /** @description Alias of timeoutMs */
            timeout?: number;
        };
        SkillSource: {
            /** @enum {string} */
            type: "github" | "git" | "local";
            /** @description owner/repo, git URL or directory */
            source: string;
            /** @description Only skills with these directory names */
            skills?: string[];
            ref?: string;
            subpath?: string;
        };
        SkillsConfig: {
            sources: components["schemas"]["SkillSource"][];
        };
        CreateSessionRequest: {
            /** @description Agent id, see GET /v1/agents */
            agent: string;
            /** @description Default `build` */
            agentMode?: string | null;
            /** @description Default `default` */
            permissionMode?: components["schemas"]["PermissionMode"] | null;
            /** @description Default: the agent's default model */
            model?: string | null;
            variant?: string | null;
            /** @description Version to install if the agent is missing */
            agentVersion?: string | null;
            /** @description Working directory of the agent; must exist */
            directory?: string | null;
            title?: string | null;
            /** @description MCP servers by name */
            mcp?: {
                [key: string]: components["schemas"]["McpServerConfig"];
            } | null;
            skills?: components["schemas"]["SkillsConfig"] | null;
            /** @description Environment variables for the agent. Kept in memory only */
            env?: {
                [key: string]: string;
            } | null;
            /** @description Keys for this session, by provider (`anthropic`, `openai`, …). Kept in memory only */
            credentials?: {
                [key: string]: string;
            } | null;
            /** @description Base URLs of model services, by provider (`anthropic`, `openai`, …) */
            endpoints?: {
                [key: string]: string;
            } | null;
        };
        CreateSessionResponse: {
            healthy: boolean;
            nativeSessionId?: string | null;
            error?: {
                type: string;
                message: string;
                agent?: string;
                session_id?: string;
                details?: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description Applied from the next turn */
        UpdateSessionRequest: {
            title?: string | null;
            model?: string;
            variant?: string | null;
            agentMode?: string;
            permissionMode?: components["schemas"]["PermissionMode"];
        };
        /**
         * @description `waiting`: a permission or question is open
         * @enum {string}
         */
        SessionStatus: "idle" | "running" | "waiting" | "ended";
        SessionInfo: {
            sessionId: string;
            agent: string;
            agentMode: string;
            permissionMode: string;
            model: string | null;
            variant: string | null;
            nativeSessionId: string | null;
            ended: boolean;
            status: components["schemas"]["SessionStatus"];
            /** @description Events in the history */
            eventCount: number;
            /** @description Sequence of the newest event */
            lastSequence: number;
            /** @description Epoch milliseconds */
            createdAt: number;
            /** @description Epoch milliseconds */
            updatedAt: number;
            directory: string | null;
            title: string | null;
            /** @description Messages that wait for the running turn */
            queue: components["schemas"]["QueuedMessage"][];
            /** @description Totals over all turns */
            usage: components["schemas"]["Usage"];
            mcp?: {
                [key: string]: components["schemas"]["McpServerConfig"];
            };
            skills?: components["schemas"]["SkillsConfig"];
        };
        SessionList: {
            sessions: components["schemas"]["SessionInfo"][];
        };
        PendingRequests: {
            permissions: components["schemas"]["PermissionData"][];
            questions: components["schemas"]["QuestionData"][];
        };
        TranscriptItem: {
            item_id: string;
            /** @description The agent's own id of this item */
            native_item_id: string | null;
            /** @description item_id of the item this one belongs to (subagents) */
            parent_id: string | null;
            kind: components["schemas"]["ItemKind"];
            role: components["schemas"]["ItemRole"] | null;
            status: components["schemas"]["ItemStatus"];
            content: components["schemas"]["ContentPart"][];
            /** @description Sequence of the event that began the item */
            sequence: number;
            turn_id: string | null;
        };
        TranscriptTurn: {
            turnId: string | null;
            messageId: string | null;
            firstSequence: number;
            /** @description null while the turn runs */
            lastSequence: number | null;
            /** @description Why it ended */
            reason: string | null;
            usage: components["schemas"]["Usage"] | null;
        };
        TranscriptError: {
            sequence: number;
            message: string;
            code: string | null;
        };
        TranscriptResponse: {
            sessionId: string;
            status: components["schemas"]["SessionStatus"];
            lastSequence: number;
            items: components["schemas"]["TranscriptItem"][];
            turns: components["schemas"]["TranscriptTurn"][];
            errors: components["schemas"]["TranscriptError"][];
            requests: components["schemas"]["PendingRequests"];
            queue: components["schemas"]["QueuedMessage"][];
            usage: components["schemas"]["Usage"];
        };
        /** @enum {string} */
        WaitCondition: "idle" | "request" | "ended";
        WaitResponse: {
            /** @description The condition that holds; null when the time ran out */
            reached: components["schemas"]["WaitCondition"] | null;
            session: components["schemas"]["SessionInfo"];
        };
        Health: {
            /** @constant */
            status: "ok";
        };
        VersionInfo: {
            /** @constant */
            name: "sandbox-agent";
            version: string;
            runtime: string;
            platform: string;
        };
        EventPage: {
            events: components["schemas"]["UniversalEvent"][];
            hasMore: boolean;
        };
        Problem: {
            /** @description urn:sandbox-agent:error:<kind> */
            type: string;
            title: string;
            status: number;
            detail?: string;
            /** @description The path that was asked for */
            instance?: string;
            agent?: string;
            sessionId?: string;
            details?: {
                [key: string]: unknown;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AcpEnvelope = components['schemas']['AcpEnvelope'];
export type AcpServerInfo = components['schemas']['AcpServerInfo'];
export type AcpServerList = components['schemas']['AcpServerList'];
export type AgentSource = components['schemas']['AgentSource'];
export type AgentInstallSource = components['schemas']['AgentInstallSource'];
export type AgentDefinition = components['schemas']['AgentDefinition'];
export type ShownAgentDefinition = components['schemas']['ShownAgentDefinition'];
export type AgentRegistryRefresh = components['schemas']['AgentRegistryRefresh'];
export type AgentRegistryInfo = components['schemas']['AgentRegistryInfo'];
export type AgentCapabilities = components['schemas']['AgentCapabilities'];
export type ServerStatus = components['schemas']['ServerStatus'];
export type AgentInfo = components['schemas']['AgentInfo'];
export type AgentList = components['schemas']['AgentList'];
export type InstallRequest = components['schemas']['InstallRequest'];
export type InstallProgressEvent = components['schemas']['InstallProgressEvent'];
export type AgentMode = components['schemas']['AgentMode'];
export type AgentModes = components['schemas']['AgentModes'];
export type AgentModel = components['schemas']['AgentModel'];
export type AgentModels = components['schemas']['AgentModels'];
export type PermissionMode = components['schemas']['PermissionMode'];
export type TextPart = components['schemas']['TextPart'];
export type JsonPart = components['schemas']['JsonPart'];
export type ToolCallPart = components['schemas']['ToolCallPart'];
export type ToolResultPart = components['schemas']['ToolResultPart'];
export type FileRefPart = components['schemas']['FileRefPart'];
export type ImagePart = components['schemas']['ImagePart'];
export type ReasoningPart = components['schemas']['ReasoningPart'];
export type StatusPart = components['schemas']['StatusPart'];
export type ContentPart = components['schemas']['ContentPart'];
export type ItemKind = components['schemas']['ItemKind'];
export type ItemRole = components['schemas']['ItemRole'];
export type ItemStatus = components['schemas']['ItemStatus'];
export type UniversalItem = components['schemas']['UniversalItem'];
export type Attachment = components['schemas']['Attachment'];
export type Delivery = components['schemas']['Delivery'];
export type MessageRequest = components['schemas']['MessageRequest'];
export type QueuedMessage = components['schemas']['QueuedMessage'];
export type PermissionReply = components['schemas']['PermissionReply'];
export type PermissionReplyRequest = components['schemas']['PermissionReplyRequest'];
export type QuestionReplyRequest = components['schemas']['QuestionReplyRequest'];
export type Usage = components['schemas']['Usage'];
export type SessionStartedData = components['schemas']['SessionStartedData'];
export type SessionUpdatedData = components['schemas']['SessionUpdatedData'];
export type StderrExcerpt = components['schemas']['StderrExcerpt'];
export type SessionEndedData = components['schemas']['SessionEndedData'];
export type TurnStartedData = components['schemas']['TurnStartedData'];
export type TurnEndReason = components['schemas']['TurnEndReason'];
export type TurnEndedData = components['schemas']['TurnEndedData'];
export type ItemData = components['schemas']['ItemData'];
export type ItemDeltaData = components['schemas']['ItemDeltaData'];
export type PermissionData = components['schemas']['PermissionData'];
export type QuestionData = components['schemas']['QuestionData'];
export type MessageQueuedData = components['schemas']['MessageQueuedData'];
export type MessageCancelledData = components['schemas']['MessageCancelledData'];
export type ErrorData = components['schemas']['ErrorData'];
export type AgentUnparsedData = components['schemas']['AgentUnparsedData'];
export type UniversalEvent = components['schemas']['UniversalEvent'];
export type McpServerConfig = components['schemas']['McpServerConfig'];
export type SkillSource = components['schemas']['SkillSource'];
export type SkillsConfig = components['schemas']['SkillsConfig'];
export type CreateSessionRequest = components['schemas']['CreateSessionRequest'];
export type CreateSessionResponse = components['schemas']['CreateSessionResponse'];
export type UpdateSessionRequest = components['schemas']['UpdateSessionRequest'];
export type SessionStatus = components['schemas']['SessionStatus'];
export type SessionInfo = components['schemas']['SessionInfo'];
export type SessionList = components['schemas']['SessionList'];
export type PendingRequests = components['schemas']['PendingRequests'];
export type TranscriptItem = components['schemas']['TranscriptItem'];
export type TranscriptTurn = components['schemas']['TranscriptTurn'];
export type TranscriptError = components['schemas']['TranscriptError'];
export type TranscriptResponse = components['schemas']['TranscriptResponse'];
export type WaitCondition = components['schemas']['WaitCondition'];
export type WaitResponse = components['schemas']['WaitResponse'];
export type Health = components['schemas']['Health'];
export type VersionInfo = components['schemas']['VersionInfo'];
export type EventPage = components['schemas']['EventPage'];
export type Problem = components['schemas']['Problem'];
export type $defs = Record<string, never>;
export interface operations {
    getServerInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
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
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getVersion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentList"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentInfo"];
                };
            };
            /** @description `invalid_request`, `unsupported_agent` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    defineAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentDefinition"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`, `unsupported_agent` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    refreshAgentRegistry: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgentRegistryRefresh"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentRegistryInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `registry_refresh_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    installAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["InstallRequest"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`, `unsupported_agent` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `agent_not_installed` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`, `install_failed` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAgentModes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentModes"];
                };
            };
            /** @description `invalid_request`, `unsupported_agent` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `agent_not_installed` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`, `install_failed`, `agent_process_exited` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAgentModels: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentModels"];
                };
            };
            /** @description `invalid_request`, `unsupported_agent` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `agent_not_installed` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`, `install_failed`, `agent_process_exited` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionInfo"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSessionRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSessionResponse"];
                };
            };
            /** @description `invalid_request`, `unsupported_agent`, `mode_not_supported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `agent_not_installed` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_already_exists` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`, `install_failed`, `agent_process_exited` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `stream_error` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `timeout` */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSessionRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionInfo"];
                };
            };
            /** @description `invalid_request`, `mode_not_supported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    terminateSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTranscript: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TranscriptResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    waitForSession: {
        parameters: {
            query?: {
                /** @description `idle` (default), `request`, `ended`, or a list of them */
                until?: string;
                /** @description Default 30000, at most 600000 */
                timeout_ms?: number;
            };
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitResponse"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description A message repeated under the same key is not sent a second time */
                "Idempotency-Key"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageRequest"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`, `agent_process_exited` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postMessageStream: {
        parameters: {
            query?: {
                /** @description Add the agent's own messages as `raw` */
                include_raw?: boolean;
            };
            header?: {
                /** @description A message repeated under the same key is not sent a second time */
                "Idempotency-Key"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageRequest"];
            };
        };
        responses: {
            /** @description Server-sent events; the data of each frame is a UniversalEvent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`, `agent_process_exited` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found`, `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    abortTurn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEvents: {
        parameters: {
            query?: {
                /** @description Last sequence already seen; 0 means from the beginning */
                offset?: number;
                /** @description At most this many; without it, all */
                limit?: number;
                /** @description Add the agent's own messages as `raw` */
                include_raw?: boolean;
            };
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description Last sequence already seen; 0 means from the beginning */
                offset?: number;
                /** @description Add the agent's own messages as `raw` */
                include_raw?: boolean;
            };
            header?: {
                /** @description Same as `offset`; the larger of both wins */
                "Last-Event-ID"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events; the data of each frame is a UniversalEvent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamAllEvents: {
        parameters: {
            query?: {
                /** @description The `id` of the last frame seen, or 0 for everything kept */
                offset?: string;
                /** @description Add the agent's own messages as `raw` */
                include_raw?: boolean;
            };
            header?: {
                /** @description The `id` of the last frame seen */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events; the data of each frame is a UniversalEvent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRequests: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingRequests"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replyPermission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
                permission_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PermissionReplyRequest"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replyQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
                question_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuestionReplyRequest"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rejectQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
                question_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAcpServers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcpServerList"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamAcpMessages: {
        parameters: {
            query?: never;
            header?: {
                /** @description Continue after this frame */
                "Last-Event-ID"?: string;
            };
            path: {
                server_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `session_not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAcpMessage: {
        parameters: {
            query?: {
                /** @description Agent id, see GET /v1/agents; needed by the call that creates the server */
                agent?: string;
            };
            header?: never;
            path: {
                server_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcpEnvelope"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcpEnvelope"];
                };
            };
            /** @description Accepted; there is nothing to answer */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`, `unsupported_agent` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    closeAcpServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                server_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    connectAcp: {
        parameters: {
            query?: {
                /** @description Agent id, see GET /v1/agents; needed by the call that creates the server */
                agent?: string;
            };
            header?: never;
            path: {
                server_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A WebSocket is open; its text frames are JSON */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`, `unsupported_agent` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `storage_unavailable`, `shutting_down` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
