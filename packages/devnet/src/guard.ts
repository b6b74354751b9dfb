import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

// A killed process (SIGKILL) cannot stop its children. A shell that reads a pipe of ours can: the pipe closes however we end.
// It ends what is left, newest first, one after the other, so that a service may still flush into Postgres.
// A zombie (nobody has collected it yet) counts as ended.
const script = `
alive() { kill -0 "$1" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null; }
while read -r line; do list=$line; done
for entry in $list; do
  pid=\${entry#*:}
  kill -s "\${entry%%:*}" "$pid" 2>/dev/null || continue
  tries=0
  while [ $tries -lt 100 ] && alive "$pid"; do sleep 0.1; tries=$((tries + 1)); done
  kill -s KILL "$pid" 2>/dev/null
done`

const guarded = new Map<number, string>()
let shell: ChildProcess | undefined

/** From now until `release` the process ends when ours does, however that happens. */
export function guard(pid: number, signal: NodeJS.Signals): void {
  guarded.set(pid, signal)
  tell()
}

/** The process has ended: its number may soon be another's. */
export function release(pid: number): void {
  guarded.delete(pid)
  tell()
}

function tell() {
  shell ??= start()
  const list = [...guarded].reverse().map(([pid, signal]) => `${signal.slice('SIG'.length)}:${pid}`)
  shell.stdin?.write(`${list.join(' ')}\n`)
}

function start(): ChildProcess {
  // Detached, for Ctrl-C reaches every process of the terminal's group.
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' })
  child.unref()
  const pipe = child.stdin as Socket
  pipe.unref()
  pipe.on('error', () => {
    shell = undefined
  })
  return child
}
