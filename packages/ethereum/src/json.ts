import { parseHex } from './hex.js'
import { InvalidEthereumData } from './malformed.js'
import { parseUint64 } from './uint64.js'

/** An object of JSON that others wrote; its members are read by name, and a member it lacks is malformed. */
export class JsonObject {
  private constructor(
    private readonly members: Readonly<Record<string, unknown>>,
    private readonly name: string,
  ) {}

  static of(value: unknown, name: string): JsonObject {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new InvalidEthereumData(`${name} is not an object.`)
    return new JsonObject(value as Record<string, unknown>, name)
  }

  object(member: string): JsonObject {
    return JsonObject.of(this.own(member), `${this.name}.${member}`)
  }

  list(member: string): JsonObject[] {
    const list = this.own(member)
    if (!Array.isArray(list)) throw new InvalidEthereumData(`${this.name}.${member} is not a list.`)
    return list.map((each) => JsonObject.of(each, `An element of ${this.name}.${member}`))
  }

  text(member: string): string {
    const text = this.own(member)
    if (typeof text !== 'string') throw new InvalidEthereumData(`${this.name}.${member} is not a text.`)
    return text
  }

  /** A whole number that is written as one, between these. */
  integer(member: string, least: number, most: number): number {
    const value = this.own(member)
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
      throw new InvalidEthereumData(`${this.name}.${member} is not a whole number from ${least} to ${most}.`)
    return value
  }

  /** 64 bits do not fit in a number of JSON, so the beacon API writes them as text. */
  uint64(member: string): bigint {
    return this.named(member, parseUint64)
  }

  bytes(member: string, length?: number): Buffer {
    return this.named(member, (text) => parseHex(text, length))
  }

  has(member: string): boolean {
    const value = this.own(member)
    return value !== undefined && value !== null
  }

  private named<T>(member: string, parse: (text: string) => T): T {
    const text = this.text(member)
    try {
      return parse(text)
    } catch (cause) {
      throw new InvalidEthereumData(`${this.name}.${member}: ${(cause as Error).message}`, { cause })
    }
  }

  private own(member: string): unknown {
    return Object.hasOwn(this.members, member) ? this.members[member] : undefined
  }
}

/** The value of a JSON text; some clients put JSON in a string where an object is due, and both are taken. */
export function parseJson(json: unknown): unknown {
  if (typeof json !== 'string') return json
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new InvalidEthereumData('The text is not JSON.', { cause })
  }
}
