import { parseHex } from './hex.js'
import { InvalidEthereumData } from './malformed.js'
import { parseUint64 } from './uint64.js'

/** An object of foreign JSON. A member that is missing or of another type is an error. */
export class JsonObject {
  private constructor(
    private readonly members: object,
    private readonly name: string,
  ) {}

  static of(value: unknown, name: string): JsonObject {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new InvalidEthereumData(`${name} is not an object.`)
    return new JsonObject(value, name)
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
    if (typeof text !== 'string') throw new InvalidEthereumData(`${this.name}.${member} is not a string.`)
    return text
  }

  /** An integer within these bounds. */
  integer(member: string, min: number, max: number): number {
    const value = this.own(member)
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
      throw new InvalidEthereumData(`${this.name}.${member} is not an integer from ${min} to ${max}.`)
    return value
  }

  /** The beacon API writes 64-bit integers as strings. */
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
      if (!(cause instanceof InvalidEthereumData)) throw cause
      throw new InvalidEthereumData(`${this.name}.${member}: ${cause.message}`, { cause })
    }
  }

  private own(member: string): unknown {
    return Object.getOwnPropertyDescriptor(this.members, member)?.value
  }
}

/** The value of a JSON text. Some clients send a string of JSON instead of an object; both are accepted. */
export function parseJson(json: unknown): unknown {
  if (typeof json !== 'string') return json
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new InvalidEthereumData('The text is not JSON.', { cause })
  }
}
