import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { debianProgram } from '@trestle/devnet/debian'
import { freePorts } from '@trestle/devnet/ports'
import { startProcess } from '@trestle/devnet/process'
import type { BenchProcess } from './process.ts'

const PATIENCE_MS = 10_000

/** An nginx in front of this server, with a folder of its own; rejects with a reason if nginx is not available. */
export async function startNginx(upstream: string, folder: string): Promise<BenchProcess> {
  const command = installed() ?? (await debianProgram({ package: 'nginx', path: 'usr/sbin/nginx' }))
  const [port = 0] = await freePorts(1)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, configuration(port, new URL(upstream).host))
  const running = startProcess({ name: 'nginx', command, args: ['-p', folder, '-c', file], log: join(folder, 'nginx.log') })
  const url = `http://127.0.0.1:${port}`
  for (const deadline = Date.now() + PATIENCE_MS; !(await answers(url)); await pause(50)) {
    if (Date.now() > deadline || !running.isRunning()) throw new Error(`nginx did not start: ${running.lastLines(3)}`)
  }
  return { url, pid: running.pid, stop: () => running.stop() }
}

function installed(): string | undefined {
  try {
    return execFileSync('/bin/sh', ['-c', 'PATH=$PATH:/usr/sbin command -v nginx'], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

async function answers(url: string): Promise<boolean> {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
  const answer = await fetch(url, { method: 'POST', body }).catch(() => undefined)
  await answer?.arrayBuffer()
  return answer?.ok ?? false
}

// One process, to count its CPU; connections are kept alive on both sides, and nothing is buffered in files.
function configuration(port: number, upstream: string): string {
  return `daemon off;
master_process off;
pid nginx.pid;
error_log stderr;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  keepalive_requests 1000000000;
  upstream node {
    server ${upstream};
    keepalive 128;
    keepalive_requests 1000000000;
    keepalive_timeout 600s;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://node;
      proxy_http_version 1.1;
      proxy_set_header Connection '';
      proxy_buffers 32 64k;
      proxy_max_temp_file_size 0;
    }
  }
}
`
}
