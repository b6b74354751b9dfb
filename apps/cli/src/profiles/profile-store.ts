import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { EXIT, Failure } from '../failure/failure.js'
import { fileFailure, hasCode } from '../failure/file-failure.js'
import { Config, type Login, StoredCredentials } from './profile.js'

const ADVICE = 'Check who owns it, use another folder with XDG_CONFIG_HOME, or pass TRESTLE_URL and TRESTLE_TOKEN instead.'

/** The profiles of the user, in a folder that only they can read. */
export class ProfileStore {
  private readonly configFile: string
  private readonly credentialsFile: string

  constructor(private readonly folder: string) {
    this.configFile = join(folder, 'config.json')
    this.credentialsFile = join(folder, 'credentials.json')
  }

  urlOf(profile: string): string | undefined {
    return own(this.config().profiles, profile)?.url
  }

  loginOf(profile: string): Login | undefined {
    return own(this.credentials().profiles, profile)
  }

  organizationOf(profile: string): string | undefined {
    return own(this.config().profiles, profile)?.organization
  }

  /** Another platform has other organizations. */
  setUrl(profile: string, url: string): void {
    const known = own(this.config().profiles, profile)
    this.setConfig(profile, known?.url === url ? known : { url })
  }

  setOrganization(profile: string, organization: string | undefined): void {
    this.setConfig(profile, { ...own(this.config().profiles, profile), organization })
  }

  private setConfig(profile: string, config: Config['profiles'][string]): void {
    this.write(this.configFile, { profiles: { ...this.config().profiles, [profile]: config } })
  }

  setLogin(profile: string, login: Login): void {
    const { profiles } = this.credentials()
    this.write(this.credentialsFile, { profiles: { ...profiles, [profile]: login } })
  }

  forgetLogin(profile: string): void {
    const { profiles } = this.credentials()
    if (!Object.hasOwn(profiles, profile)) return
    const { [profile]: _, ...others } = profiles
    this.write(this.credentialsFile, { profiles: others })
  }

  private config(): Config {
    return read(this.configFile, Config, { isSecret: false }) ?? { profiles: {} }
  }

  private credentials(): StoredCredentials {
    return read(this.credentialsFile, StoredCredentials, { isSecret: true }) ?? { profiles: {} }
  }

  /** Atomic: a concurrent reader sees the old file. */
  private write(file: string, content: Config | StoredCredentials): void {
    const draft = `${file}.${randomUUID()}`
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 })
      const descriptor = openSync(draft, 'wx', 0o600)
      writeFileSync(descriptor, `${JSON.stringify(content, null, 2)}\n`)
      fsyncSync(descriptor)
      closeSync(descriptor)
      renameSync(draft, file)
    } catch (error) {
      try {
        rmSync(draft, { force: true })
      } catch {
        // What kept it from being written also keeps it from being there.
      }
      throw fileFailure(error, file, 'written', ADVICE)
    }
  }
}

function read<T>(file: string, schema: z.ZodType<T>, { isSecret }: { isSecret: boolean }): T | undefined {
  const text = textOf(file, isSecret)
  if (text === undefined) return undefined
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    throw new Failure(EXIT.unexpected, `${file} is malformed.`, 'Fix it, or delete it and run: trestle login')
  }
}

function textOf(file: string, isSecret: boolean): string | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'r')
    // Of the open file: its path may lead to another one by now.
    const mode = fstatSync(descriptor).mode & 0o777
    if (isSecret && (mode & 0o077) !== 0)
      throw new Failure(
        EXIT.unexpected,
        `${file} holds secrets, but other users can read or change it (mode ${mode.toString(8)}).`,
        `If nobody has done so: chmod 600 ${file}\nOtherwise delete it, run: trestle login, and delete the sessions and keys that were in it.`,
      )
    return readFileSync(descriptor, 'utf8')
  } catch (error) {
    if (hasCode(error) && error.code === 'ENOENT') return undefined
    throw fileFailure(error, file, 'read', ADVICE)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
