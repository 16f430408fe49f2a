/** Terminals that several people and programs can watch and type into, and the frames of their WebSockets. */
import * as z from "zod";
import { type Infer, lazy } from "./lazy.ts";
import { InputEncoding, TerminalSize } from "./processes.ts";

export const TerminalKind = lazy(() => z.enum(["process", "tmux", "agent"]));

export const TerminalInfo = lazy(() =>
  z
    .object({
      id: z.string().describe("The id of its process, if it has one"),
      kind: TerminalKind(),
      title: z.string(),
      ...TerminalSize().shape,
      status: z.enum(["running", "exited"]),
      exitCode: z.int().optional(),
      viewers: z.int().describe("How many sockets are attached"),
      createdAtMs: z.int(),
      sessionId: z.string().optional().describe("The session whose agent runs the command"),
      itemId: z.string().optional().describe("The item that holds its output"),
    })
    .meta({ id: "TerminalInfo" }),
);
export type TerminalInfo = Infer<typeof TerminalInfo>;

export const TerminalList = lazy(() => z.object({ terminals: z.array(TerminalInfo()) }).meta({ id: "TerminalList" }));

export const AttachTmuxRequest = lazy(() =>
  z
    .object({
      target: z.string().min(1).describe("A pane as tmux names it: `session`, `session:window.pane` or `%3`"),
      socket: z.string().min(1).optional().describe("Path of the tmux server's socket, if not the default one"),
    })
    .meta({ id: "AttachTmuxRequest" }),
);
export type AttachTmuxRequest = Infer<typeof AttachTmuxRequest>;

export const TerminalScreen = lazy(() =>
  z
    .object({
      ...TerminalSize().shape,
      cursor: z.object({ x: z.int(), y: z.int() }).describe("From 0, on the visible screen"),
      text: z.string().describe("The visible screen without colours, one line per row"),
      ansi: z.string().describe("Escape sequences that restore the screen with its scrollback in a reset terminal"),
    })
    .meta({ id: "TerminalScreen" }),
);
export type TerminalScreen = Infer<typeof TerminalScreen>;

export const TerminalInput = lazy(() =>
  z
    .object({ data: z.string(), encoding: InputEncoding().optional().describe("Default `base64`") })
    .meta({ id: "TerminalInput" }),
);

/** Text frames of a client. */
export const TerminalClientFrame = lazy(() =>
  z
    .discriminatedUnion("type", [
      z.object({
        type: z.literal("input"),
        data: z.string(),
        encoding: InputEncoding().optional().describe("Plain text unless `base64`"),
      }),
      z.object({ type: z.literal("resize"), ...TerminalSize().shape }),
      z.object({ type: z.literal("close") }),
    ])
    .meta({ id: "TerminalClientFrame" }),
);
export type TerminalClientFrame = Infer<typeof TerminalClientFrame>;

/** Text frames of the daemon; terminal output comes in binary frames. */
export const TerminalServerFrame = lazy(() =>
  z
    .discriminatedUnion("type", [
      z.object({ type: z.literal("ready"), processId: z.string(), ...TerminalSize().shape }),
      z.object({ type: z.literal("resize"), ...TerminalSize().shape }),
      z.object({ type: z.literal("exit"), exitCode: z.int().optional() }),
      z.object({ type: z.literal("error"), message: z.string() }),
    ])
    .meta({ id: "TerminalServerFrame" }),
);
export type TerminalServerFrame = Infer<typeof TerminalServerFrame>;
