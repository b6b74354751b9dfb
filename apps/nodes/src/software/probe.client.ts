import { Injectable, type OnApplicationShutdown } from '@nestjs/common'
import { Agent, type Dispatcher } from 'undici'
import { z } from 'zod'
import { type Blueprint, familyOf } from '../catalogue/blueprint.js'
import { isOwnChain, MACHINE_USER } from './place.js'
import { type Question, questionsTo, type Seen, seenIn, warmingUp } from './seen.js'

export interface Address {
  readonly host: string
  readonly port: number
}

export interface ProbedMachine {
  readonly blueprint: Blueprint
  readonly password: string
  readonly address: Address
}

/** It does not answer, or not what its program answers; the message is for people. */
export class ProbeFailed extends Error {
  override readonly name = 'ProbeFailed'
}

const TIMEOUT_MS = 5_000
const MAX_BYTES = 1024 * 1024
/** Of the bitcoin family: it is still reading what it has on its disk. */
const WARMING_UP = -28

const Refusal = z.object({ code: z.number(), message: z.string().transform((message) => message.slice(0, 200)) })
const Reply = z.object({ id: z.int().nullish(), result: z.unknown().optional(), error: Refusal.nullish() })
/** One refusal may stand for all answers. */
const Replies = z.union([z.array(Reply), z.object({ error: Refusal, result: z.unknown().optional() })])
type Reply = Pick<z.output<typeof Reply>, 'result' | 'error'>
const Added = z.array(z.object({ addednode: z.string() }))

/** Asks machines how they are. */
@Injectable()
export class Probe implements OnApplicationShutdown {
  private readonly agent = new Agent({ connect: { timeout: TIMEOUT_MS } })

  /** Rejects with `ProbeFailed`. */
  async look(machine: ProbedMachine): Promise<Seen> {
    const questions = questionsTo(machine.blueprint)
    const replies = await this.ask(machine, questions)
    const warming = replies.find(({ error }) => error?.code === WARMING_UP)
    if (warming?.error) return warmingUp(warming.error.message)
    return understood(machine, () =>
      seenIn(
        machine.blueprint,
        questions.map((question, i) => resultOf(machine, question, replies[i])),
      ),
    )
  }

  /** Makes the machines of a cluster follow one chain, where nobody else would bring them together: these are its peers, and no others. */
  async join(machine: ProbedMachine, peers: readonly Address[]): Promise<void> {
    if (familyOf(machine.blueprint) !== 'bitcoin' || !isOwnChain(machine.blueprint)) return
    const wanted = new Set(peers.map(({ host, port }) => `${host}:${port}`))
    const question = { method: 'getaddednodeinfo' }
    const [reply] = await this.ask(machine, [question])
    const known = new Set(understood(machine, () => Added.parse(resultOf(machine, question, reply))).map(({ addednode }) => addednode))
    const changes = [
      ...[...wanted].filter((peer) => !known.has(peer)).map((peer) => ({ method: 'addnode', params: [peer, 'add'] })),
      ...[...known].filter((peer) => !wanted.has(peer)).map((peer) => ({ method: 'addnode', params: [peer, 'remove'] })),
    ]
    // Refused is only what somebody else has done meanwhile.
    if (changes.length > 0) await this.ask(machine, changes)
  }

  onApplicationShutdown(): Promise<void> {
    return this.agent.destroy()
  }

  /** In the order of the questions. */
  private async ask(machine: ProbedMachine, questions: readonly (Question & { params?: readonly unknown[] })[]): Promise<Reply[]> {
    const jsonrpc = familyOf(machine.blueprint) === 'bitcoin' ? '1.0' : '2.0'
    const body = JSON.stringify(questions.map(({ method, params = [] }, id) => ({ jsonrpc, id, method, params })))
    const { status, text } = await this.exchange(machine, body)
    const { daemon } = machine.blueprint
    if (status === 401 || status === 403) throw new ProbeFailed(`${daemon} refuses the password of its own gateway.`)
    const replies = Replies.safeParse(jsonOf(text))
    if (!replies.success) throw new ProbeFailed(`${daemon} answered with status ${status} and ${text ? 'no JSON-RPC' : 'nothing'}.`)
    return questions.map((_, i) => {
      const { data } = replies
      const reply = Array.isArray(data) ? data.find(({ id }) => id === i) : data
      if (!reply) throw new ProbeFailed(`${daemon} left a question without an answer.`)
      return reply
    })
  }

  private async exchange({ blueprint: { daemon }, password, address }: ProbedMachine, body: string) {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const headers = {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`${MACHINE_USER}:${password}`).toString('base64')}`,
    }
    const origin = `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`
    try {
      // `reset`: litecoind does not stop before the last connection is gone.
      const answer = await this.agent.request({ origin, path: '/', method: 'POST', headers, body, signal, reset: true })
      return { status: answer.statusCode, text: await bounded(answer.body, daemon) }
    } catch (error) {
      if (error instanceof ProbeFailed) throw error
      if (signal.aborted) throw new ProbeFailed(`${daemon} did not answer within ${TIMEOUT_MS / 1000} s.`)
      throw new ProbeFailed(`${daemon} cannot be reached: ${reasonOf(error)}.`)
    }
  }
}

function resultOf({ blueprint }: ProbedMachine, { method, optional }: Question, reply: Reply | undefined): unknown {
  if (!reply?.error) return reply?.result
  if (optional) return undefined
  throw new ProbeFailed(`${blueprint.daemon} refused ${method}: ${reply.error.message} (${reply.error.code}).`)
}

function understood<T>({ blueprint }: ProbedMachine, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    const [issue] = error.issues
    throw new ProbeFailed(`${blueprint.daemon} answered what cannot be used: ${issue?.path.join('.')}: ${issue?.message}.`)
  }
}

async function bounded(body: Dispatcher.ResponseData['body'], daemon: string): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_BYTES) throw new ProbeFailed(`${daemon} sent more than ${MAX_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size).toString()
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// The error itself may hold the request, and with it the password.
function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'the connection failed'
}
