import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { EXIT, Failure } from '../failure/failure.js'
import { Config, type Login, StoredCredentials } from './profile.js'

/** The profiles of whoever runs this, in a folder of theirs. */
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

  profiles(): string[] {
    return Object.keys({ ...this.config().profiles, ...this.credentials().profiles })
  }

  setUrl(profile: string, url: string): void {
    const { profiles } = this.config()
    this.write(this.configFile, { profiles: { ...profiles, [profile]: { url } } })
  }

  setLogin(profile: string, login: Login): void {
    const { profiles } = this.credentials()
    this.write(this.credentialsFile, { profiles: { ...profiles, [profile]: login } })
  }

  forgetLogin(profile: string): void {
    const { [profile]: _, ...profiles } = this.credentials().profiles
    this.write(this.credentialsFile, { profiles })
  }

  private config(): Config {
    return read(this.configFile, Config, { isSecret: false }) ?? { profiles: {} }
  }

  private credentials(): StoredCredentials {
    return read(this.credentialsFile, StoredCredentials, { isSecret: true }) ?? { profiles: {} }
  }

  /** Whole or not at all: whoever reads meanwhile sees the old one. */
  private write(file: string, content: Config | StoredCredentials): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    const draft = `${file}.${randomUUID()}`
    try {
      const descriptor = openSync(draft, 'wx', 0o600)
      writeFileSync(descriptor, `${JSON.stringify(content, null, 2)}\n`)
      fsyncSync(descriptor)
      closeSync(descriptor)
      renameSync(draft, file)
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
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
    // Of the file that is read, whatever may take its place meanwhile.
    const mode = fstatSync(descriptor).mode & 0o777
    if (isSecret && (mode & 0o077) !== 0)
      throw new Failure(
        EXIT.unexpected,
        `${file} holds secrets, but other users can read or change it (mode ${mode.toString(8)}).`,
        `If nobody has done so: chmod 600 ${file}\nOtherwise delete it, run: trestle login, and delete the sessions and keys that were in it.`,
      )
    return readFileSync(descriptor, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
