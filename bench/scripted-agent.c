/*
 * An ACP agent for both daemons: it says as much as it is told to, as fast as it is told to. Each of its messages is a write
 * of its own, as agents do. A prompt is `burst <count>`, or `pace <count> <events per second>`; of the latter each text is
 * the time it was made at, and the pauses between them are random, as those of a model behind a network are.
 *
 * In C, because what it takes itself would be measured with every daemon: it starts in less than a millisecond, and fifty of
 * them leave the processor to the daemon.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void say(const char *format, const char *first, const char *second) {
  char message[1024];
  int left = snprintf(message, sizeof message, format, first, second);
  for (char *rest = message; left > 0;) {
    ssize_t written = write(STDOUT_FILENO, rest, left);
    if (written < 0) exit(1);
    rest += written;
    left -= written;
  }
}

static void delta(const char *text) {
  say("{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"scripted\",\"update\":"
      "{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"%s\"}}}}\n",
      text, NULL);
}

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

/* Messages that come independently of each other: how long it is to the next does not depend on what came before. */
static void pace(long count, double rate) {
  srand48(getpid());
  double next = milliseconds();
  for (; count > 0; count--) {
    next += -log(1 - drand48()) * 1000 / rate;
    double wait = next - milliseconds();
    if (wait > 0) usleep(wait * 1000);
    char text[32];
    snprintf(text, sizeof text, "%.4f", milliseconds());
    delta(text);
  }
}

static void burst(long count) {
  /* A text as long as those of a model's deltas. */
  for (; count > 0; count--) delta("word ");
}

static const char *prompted(const char *line) {
  const char *prompt = strstr(line, "\"text\":\"");
  long count = 1;
  double rate = 1;
  if (prompt && sscanf(prompt, "\"text\":\"pace %ld %lf", &count, &rate) == 2) pace(count, rate);
  else if (prompt && sscanf(prompt, "\"text\":\"burst %ld", &count) == 1) burst(count);
  else burst(1);
  return "{\"stopReason\":\"end_turn\"}";
}

static const char *answer(const char *line) {
  if (strstr(line, "\"method\":\"session/prompt\"")) return prompted(line);
  if (strstr(line, "\"method\":\"session/new\"")) return "{\"sessionId\":\"scripted\"}";
  if (strstr(line, "\"method\":\"initialize\"")) return "{\"protocolVersion\":1,\"agentCapabilities\":{},\"authMethods\":[]}";
  return "{}";
}

int main(void) {
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, stdin) > 0) {
    const char *begin = strstr(line, "\"id\":");
    if (!begin) continue;
    char id[64] = "";
    sscanf(begin, "\"id\":%63[^,}]", id);
    say("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", id, answer(line));
  }
}
