import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { MACHINE_MARK } from './machines/mark.js'

// A killed process (SIGKILL) cannot stop its children. A shell that reads a pipe of ours can: the pipe closes however we end.
// It ends what is left, newest first, one after the other, so that a service may still flush into Postgres.
// A zombie (nobody has collected it yet) counts as ended.
// Then it ends the machines that services have made in these folders: only their mark tells which those are.
const script = `
machines() { grep -alsF "${MACHINE_MARK}=$1/" /proc/[0-9]*/environ | cut -d / -f 3; }
alive() { kill -0 "$1" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null; }
while IFS= read -r line; do
  case $line in
    /*) folders="$folders$line
" ;;
    *) list=$line folders= ;;
  esac
done
for entry in $list; do
  pid=\${entry#*:}
  kill -s "\${entry%%:*}" "$pid" 2>/dev/null || continue
  tries=0
  while [ $tries -lt 100 ] && alive "$pid"; do sleep 0.1; tries=$((tries + 1)); done
  kill -s KILL "$pid" 2>/dev/null
done
printf '%s' "$folders" | while IFS= read -r folder; do
  for signal in TERM KILL; do
    for pid in $(machines "$folder"); do kill -s $signal "$pid" 2>/dev/null; done
    tries=0
    while [ $tries -lt 100 ] && [ -n "$(machines "$folder")" ]; do sleep 0.1; tries=$((tries + 1)); done
  done
done`

const guarded = new Map<number, string>()
const folders = new Set<string>()
let shell: ChildProcess | undefined

/** From now until `release` the process ends when ours does, however that happens. */
export function guard(pid: number, signal: NodeJS.Signals): void {
  guarded.set(pid, signal)
  report()
}

/** The process has ended: its pid may soon be reused. */
export function release(pid: number): void {
  guarded.delete(pid)
  report()
}

/** From now until `releaseMachines` the machines in this folder end when our process does. */
export function guardMachines(folder: string): void {
  folders.add(folder)
  report()
}

export function releaseMachines(folder: string): void {
  folders.delete(folder)
  report()
}

/** Everything in one write, each time: a line of processes, then a line for each folder, which begins with a slash. */
function report() {
  shell ??= start()
  const list = [...guarded].reverse().map(([pid, signal]) => `${signal.slice('SIG'.length)}:${pid}`)
  shell.stdin?.write([list.join(' '), ...folders, ''].join('\n'))
}

function start(): ChildProcess {
  // Detached, for Ctrl-C reaches every process of the terminal's group.
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' })
  child.unref()
  if (child.stdin instanceof Socket) child.stdin.unref()
  child.stdin.on('error', () => {
    shell = undefined
  })
  return child
}
