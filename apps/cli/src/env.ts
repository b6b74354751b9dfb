import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { EXIT, Failure } from './failure/failure.js'

// An empty value counts as none.
const text = z
  .string()
  .optional()
  .transform((value) => value || undefined)

const variables = z.object({
  TRESTLE_URL: text,
  TRESTLE_TOKEN: text,
  TRESTLE_PROFILE: text,
  TRESTLE_ORGANIZATION: text,
  XDG_CONFIG_HOME: text,
  NO_COLOR: text,
  TERM: text,
  PATH: text,
})

export interface Env {
  readonly url?: string
  readonly token?: string
  readonly profile?: string
  readonly organization?: string
  /** The folder of the profiles. */
  readonly folder: string
  readonly isColourless: boolean
  readonly path: readonly string[]
  /** The environment of child processes. */
  readonly inherited: NodeJS.ProcessEnv
}

export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const {
    TRESTLE_URL,
    TRESTLE_TOKEN,
    TRESTLE_PROFILE,
    TRESTLE_ORGANIZATION,
    XDG_CONFIG_HOME,
    NO_COLOR,
    TERM,
    PATH = '',
  } = variables.parse(source)
  // The XDG base directory specification: a path that is not absolute is ignored.
  const base = XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(homedir(), '.config')
  return {
    url: TRESTLE_URL && platformUrl(TRESTLE_URL, 'TRESTLE_URL'),
    token: TRESTLE_TOKEN,
    profile: TRESTLE_PROFILE,
    organization: TRESTLE_ORGANIZATION,
    folder: join(base, 'trestle'),
    isColourless: NO_COLOR !== undefined || TERM === 'dumb',
    path: PATH.split(':').filter(Boolean),
    // npm's variables describe the script that npm runs, not what that script starts.
    inherited: Object.fromEntries(
      Object.entries(source).filter(([name]) => !/^npm_(lifecycle|package|command|execpath|node_execpath)/.test(name)),
    ),
  }
}

/** The address of a platform, without a slash at its end. */
export function platformUrl(given: string, what: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash)
    return url.href.replace(/\/+$/, '')
  throw new Failure(EXIT.usage, `${what} must be the URL of a Trestle platform, such as https://trestle.example.`)
}
