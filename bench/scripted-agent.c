/*
 * An ACP agent for both daemons. The prompt sets how many messages it sends and how fast: `burst <count>`, or
 * `pace <count> <events per second>`. Each message is a separate write, as with real agents. With `pace` each text is the time
 * at which it was written, and the pauses are random, as those of a model behind a network are.
 *
 * Written in C, because its own cost is part of every measurement: it starts in less than a millisecond, and fifty of them
 * leave the processor to the daemon.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void send(const char *format, const char *first, const char *second) {
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
  send("{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"scripted\",\"update\":"
      "{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"%s\"}}}}\n",
      text, NULL);
}

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

/* A Poisson process: exponentially distributed pauses. */
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
  /* About as long as a delta of a model. */
  for (; count > 0; count--) delta("word ");
}

static const char *runPrompt(const char *line) {
  const char *prompt = strstr(line, "\"text\":\"");
  long count = 1;
  double rate = 1;
  if (prompt && sscanf(prompt, "\"text\":\"pace %ld %lf", &count, &rate) == 2) pace(count, rate);
  else if (prompt && sscanf(prompt, "\"text\":\"burst %ld", &count) == 1) burst(count);
  else burst(1);
  return "{\"stopReason\":\"end_turn\"}";
}

static const char *answer(const char *line) {
  if (strstr(line, "\"method\":\"session/prompt\"")) return runPrompt(line);
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
    send("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", id, answer(line));
  }
}
