import { z } from 'zod'
import { DepositContractResponse, GenesisResponse, SpecResponse } from './beacon-responses.js'
import type { ReportedFacts } from './chain.js'
import { JsonHttpClient, type JsonRequest } from './json-http.client.js'
import { UpstreamRefusal, UpstreamUnavailable } from './upstream-errors.js'
import { readAnswer } from './upstream-json.js'

/** Compares the network that a node reports with the expected one; throws if they differ. */
export type NetworkCheck = (node: BeaconNodeClient) => Promise<void>

/** An optimistic answer is none: its execution node has not verified the block that it is about, which may be an orphan. */
const Verified = z.unknown().refine((value) => !Optimistic.safeParse(value).success, 'is not verified by its execution node')
const Optimistic = z.object({ execution_optimistic: z.literal(true) })

const LARGE = { timeoutMs: 60_000, maxBytes: 256 * 1024 * 1024 }

/** One beacon node. Its network is checked before the first request, and again after it was unreachable: another node may answer there now. */
export class BeaconNodeClient {
  private readonly http: JsonHttpClient
  private checked?: Promise<void>
  /** Endpoints that this node does not have. */
  private readonly missing = new Set<string>()

  constructor(
    url: string,
    readonly name: string,
    private readonly check: NetworkCheck,
  ) {
    this.http = new JsonHttpClient(url, name)
  }

  async facts(): Promise<ReportedFacts> {
    const genesis = await this.read('/eth/v1/beacon/genesis', GenesisResponse)
    const spec = await this.read('/eth/v1/config/spec', SpecResponse)
    return { ...genesis, ...spec, ...(await this.read('/eth/v1/config/deposit_contract', DepositContractResponse)) }
  }

  get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    return this.whenChecked(() => this.read(path, schema))
  }

  post<T>(path: string, body: unknown, schema: z.ZodType<T>): Promise<T> {
    return this.whenChecked(() => this.read(path, schema, { method: 'POST', body }))
  }

  /** Posts; if the node has no such endpoint, does `instead`, now and from then on. */
  async postOr<T>(endpoint: { name: string; path: string }, body: unknown, schema: z.ZodType<T>, instead: () => Promise<T>): Promise<T> {
    if (this.missing.has(endpoint.name)) return instead()
    try {
      return await this.post(endpoint.path, body, schema)
    } catch (error) {
      if (!(error instanceof UpstreamRefusal && (error.status === 404 || error.status === 405))) throw error
      // The node may lack the state instead of the endpoint: then this is refused too.
      const result = await instead()
      this.missing.add(endpoint.name)
      return result
    }
  }

  /** Posts, and returns the response whatever its status. */
  send(path: string, body: unknown) {
    return this.whenChecked(() => this.http.request({ method: 'POST', path, body }))
  }

  close(): Promise<void> {
    return this.http.close()
  }

  private async whenChecked<T>(work: () => Promise<T>): Promise<T> {
    try {
      this.checked ??= this.check(this)
      await this.checked.catch((error) => {
        this.checked = undefined
        throw error
      })
      return await work()
    } catch (error) {
      if (error instanceof UpstreamUnavailable) this.checked = undefined
      throw error
    }
  }

  private async read<T>(path: string, schema: z.ZodType<T>, request: Partial<JsonRequest> = {}): Promise<T> {
    return readAnswer(Verified.pipe(schema), await this.http.request({ path, ...LARGE, ...request }), this.name)
  }
}
