# An image with the daemon. Build the executable first (`npm run build:binary -- --target linux-x64`), then
#   docker build -t sandbox-agent .
#   docker run --init -p 127.0.0.1:2468:2468 -v agents:/home/agent -v "$PWD":/workspace sandbox-agent
# It makes a token, prints it, and keeps it in /home/agent. It runs as user 1000; `--user root` makes it root.

ARG BASE=debian:bookworm-slim
FROM ${BASE}

# What agents expect to find. Leave it empty for a base that has it already, or that has no apt.
ARG PACKAGES="ca-certificates git"
RUN [ -z "$PACKAGES" ] || { apt-get update && apt-get install -y --no-install-recommends $PACKAGES && rm -rf /var/lib/apt/lists/*; }

RUN echo 'agent:x:1000:1000::/home/agent:/bin/sh' >> /etc/passwd && echo 'agent:x:1000:' >> /etc/group \
 && mkdir -p /home/agent /workspace && chown 1000:1000 /home/agent /workspace

ARG BINARY=dist/binaries/sandbox-agent-linux-x64
COPY ${BINARY} /usr/local/bin/sandbox-agent

USER 1000:1000
ENV HOME=/home/agent
WORKDIR /workspace
EXPOSE 2468
HEALTHCHECK --interval=30s --timeout=10s --start-period=10s CMD ["/usr/local/bin/sandbox-agent", "api", "health"]
ENTRYPOINT ["/usr/local/bin/sandbox-agent"]
CMD ["server", "--host", "0.0.0.0"]
