import { NativeText } from "@sandbox-agent/agents";
import { UniversalEvent } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { charactersIn, clock, eventFrame, eventText, recordEncoder, typeOf } from "./encode.ts";

const event: UniversalEvent = {
  event_id: "evt_1_7",
  sequence: 7,
  time: "2025-01-01T00:00:00.000Z",
  session_id: 'odd "name"\n',
  native_session_id: 'native "id"',
  source: "agent",
  synthetic: false,
  type: "item.delta",
  data: { item_id: "itm_1", native_item_id: null, delta: "line\r\n\u2028end" },
};

test("the size of records includes native messages", () => {
  const records = [
    { sequence: 1, text: "four", raw: "three" },
    { sequence: 2, text: "two", raw: null },
  ];
  expect(charactersIn(records)).toBe("fourthreetwo".length);
});

describe("an event as text", () => {
  test("parses to the same event", () => {
    expect(JSON.parse(recordEncoder(event.session_id)(event).text)).toEqual(event);
  });

  test("fits the schema", () => {
    expect(UniversalEvent().safeParse(JSON.parse(recordEncoder(event.session_id)(event).text)).success).toBe(true);
  });

  test("keeps the native message separately: a value as JSON, a text unchanged", () => {
    const encode = recordEncoder(event.session_id);
    const raws = [{ a: 1 }, new NativeText('{ "a": 1.0 }'), undefined].map((raw) => encode({ ...event, raw }).raw);
    expect(raws).toEqual(['{"a":1}', '{ "a": 1.0 }', null]);
  });

  test("follows a native session id that becomes known", () => {
    const encode = recordEncoder(event.session_id);
    const texts = [null, "first", "second", null].map((id) => encode({ ...event, native_session_id: id }).text);
    expect(texts.map((text) => JSON.parse(text).native_session_id)).toEqual([null, "first", "second", null]);
  });

  test("has its type, whatever else in it looks like one", () => {
    const looksLikeOne = ',"type":"turn.ended","data":{}';
    const encode = recordEncoder(looksLikeOne);
    const data = { item_id: "itm_1", native_item_id: null, delta: looksLikeOne };
    const record = encode({ ...event, session_id: looksLikeOne, native_session_id: looksLikeOne, data });
    expect(typeOf(record)).toBe("item.delta");
  });

  test("is one line", () => {
    expect(recordEncoder(event.session_id)(event).text).not.toMatch(/[\r\n]/);
  });
});

describe("the native message", () => {
  const record = recordEncoder(event.session_id)({ ...event, raw: { a: 1 } });

  test("is stored separately from the event", () => {
    expect(JSON.parse(record.text)).toEqual(event);
    expect(record.raw).toBe('{"a":1}');
  });

  test("is sent on request", () => {
    expect(JSON.parse(eventText(record, true))).toEqual({ ...event, raw: { a: 1 } });
  });

  test("is not sent by default", () => {
    expect(JSON.parse(eventText(record, false))).toEqual(event);
  });

  test("is null where there was none", () => {
    expect(JSON.parse(eventText(recordEncoder(event.session_id)(event), true))).toEqual({ ...event, raw: null });
  });
});

test("a frame has an id, one line of data and a blank line", () => {
  const record = recordEncoder(event.session_id)(event);
  expect(eventFrame("3.7", record, false)).toBe(`id: 3.7\ndata: ${record.text}\n\n`);
});

test("the clock returns the current time", () => {
  const before = Date.now();
  const time = Date.parse(clock()());
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(Date.now());
});
