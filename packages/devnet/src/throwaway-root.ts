import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
// A container's is often 64 MiB.
const MIN_BYTES = 8 * 2 ** 30

/**
 * Where data is kept that a test throws away: in memory where there is plenty. A database is some 300 files, and making and deleting
 * them on a disk is half of what a test's Postgres costs. The answer is the same for all processes of this machine.
 */
export function throwawayRoot(memory = MEMORY, mounts = '/proc/self/mounts'): string {
  const options = existsSync(mounts) && optionsOf(memory, readFileSync(mounts, 'utf8'))
  if (!options || options.includes('noexec')) return tmpdir()
  const { blocks, bsize } = statfsSync(memory)
  return blocks * bsize >= MIN_BYTES ? memory : tmpdir()
}

function optionsOf(folder: string, mounts: string): readonly string[] | undefined {
  const found = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, mountedOn, type]) => mountedOn === folder && type === 'tmpfs')
  return found?.[3]?.split(',')
}
