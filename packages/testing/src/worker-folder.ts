import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { throwawayRoot } from '@trestle/devnet/throwaway-root'

// Jest gives each test file its own modules and globals: what outlives a file is found by this name.
// Process numbers are reused, so the number alone is not enough.
const FOLDER = join(throwawayRoot(), `trestle-test-${process.pid}-${Math.round(performance.timeOrigin)}`)

/** A folder that all test files of this jest worker share, and that is removed after it. */
export function workerFolder(): string {
  if (!existsSync(FOLDER)) {
    mkdirSync(FOLDER)
    removeOnExit(FOLDER)
  }
  return FOLDER
}

/** Removes a folder when this process has ended, even by SIGKILL. */
export function removeOnExit(folder: string): void {
  // `cat` returns when our end of its pipe closes. The servers in the folder have ended by then, or are about to.
  const script = 'cat; for try in 1 2 3 4 5 6 7 8 9 10; do sleep 1; rm -rf "$1" && break; done'
  const shell = spawn('/bin/sh', ['-c', script, 'sh', folder], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  shell.unref()
  if (shell.stdin instanceof Socket) shell.stdin.unref()
}
