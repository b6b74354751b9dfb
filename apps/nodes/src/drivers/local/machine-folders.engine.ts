import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { NodeId } from '@trestle/contracts/nodes/shapes'
import type { z } from 'zod'
import { DriverUnavailable } from '../driver.js'
import { MachineRecord, ProcessRecord } from './records.js'

/** The paths of a machine. */
interface MachinePaths {
  readonly folder: string
  readonly data: string
  readonly config: string
  readonly log: string
}

/** The folders of machines, each complete or absent: one that is being created or removed has another name, with the installation in it. */
export class MachineFolders {
  readonly root: string

  constructor(
    root: string,
    private readonly installation: string,
  ) {
    this.root = resolve(root)
  }

  paths(id: string): MachinePaths {
    const folder = join(this.root, checked(id))
    return { folder, data: join(folder, 'data'), config: join(folder, 'node.conf'), log: join(folder, 'log') }
  }

  /** Undefined if there is no such machine. */
  async read(id: string): Promise<MachineRecord | undefined> {
    const record = await readRecord(join(this.paths(id).folder, 'machine.json'), MachineRecord)
    if (record && record.installation !== this.installation) {
      throw new DriverUnavailable(`The folder of ${id} belongs to another installation, ${record.installation}.`)
    }
    return record
  }

  /** The records of all installations that share this folder, for their ports. */
  async readAll(): Promise<MachineRecord[]> {
    const ids = (await this.names()).filter(isId)
    const records = await Promise.all(
      ids.map((id) => readRecord(join(this.root, id, 'machine.json'), MachineRecord).catch(() => undefined)),
    )
    return records.filter((record) => record !== undefined)
  }

  async create(record: MachineRecord): Promise<void> {
    const unfinished = this.unfinished(record.id)
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(join(unfinished, 'data'), { recursive: true, mode: 0o700 })
    await writeRecord(join(unfinished, 'machine.json'), record)
    await rename(unfinished, this.paths(record.id).folder)
  }

  async update(record: MachineRecord): Promise<void> {
    await writeRecord(join(this.paths(record.id).folder, 'machine.json'), record)
  }

  readProcess(id: string): Promise<ProcessRecord | undefined> {
    return readRecord(join(this.paths(id).folder, 'process.json'), ProcessRecord)
  }

  async writeProcess(id: string, record: ProcessRecord): Promise<void> {
    await writeRecord(join(this.paths(id).folder, 'process.json'), record)
  }

  async writeConfig(id: string, text: string): Promise<void> {
    await writeWhole(this.paths(id).config, text)
  }

  /** Whether its creation or removal was interrupted. */
  async isIncomplete(id: string): Promise<boolean> {
    const found = await stat(this.unfinished(checked(id))).catch(ignoreMissing)
    return found !== undefined
  }

  async remove(id: string): Promise<void> {
    const unfinished = this.unfinished(checked(id))
    await rm(unfinished, { recursive: true, force: true })
    await rename(this.paths(id).folder, unfinished).catch(ignoreMissing)
    await rm(unfinished, { recursive: true, force: true })
  }

  /** The ids of all machines of this installation, incomplete ones too. */
  async *list(): AsyncGenerator<string> {
    const prefix = this.unfinished('')
    const names = await this.names()
    const incomplete = names
      .map((name) => join(this.root, name))
      .flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : []))
    yield* incomplete.filter(isId)
    for (const id of names.filter(isId)) {
      const record = incomplete.includes(id)
        ? undefined
        : await readRecord(join(this.root, id, 'machine.json'), MachineRecord).catch(() => undefined)
      if (record?.installation === this.installation) yield id
    }
  }

  private unfinished(id: string): string {
    return join(this.root, `.${this.installation}.${id}`)
  }

  private async names(): Promise<string[]> {
    return (await readdir(this.root).catch(ignoreMissing)) ?? []
  }
}

/** An id becomes part of a path, so it is validated first. */
function checked(id: string): string {
  if (!isId(id)) throw new Error('This is not the id of a machine.')
  return id
}

function isId(name: string): boolean {
  return NodeId.safeParse(name).success
}

async function readRecord<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const text = await readFile(file, 'utf8').catch(ignoreMissing)
  if (text === undefined) return undefined
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    throw new DriverUnavailable(`${file} is damaged.`)
  }
}

function writeRecord(file: string, record: MachineRecord | ProcessRecord): Promise<void> {
  return writeWhole(file, `${JSON.stringify(record, null, 2)}\n`)
}

/** Atomic: a reader finds the new content or the old. Readable for this user only. */
async function writeWhole(file: string, text: string): Promise<void> {
  const unfinished = `${file}.unfinished`
  await rm(unfinished, { force: true })
  await writeFile(unfinished, text, { mode: 0o600, flush: true })
  await rename(unfinished, file)
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
