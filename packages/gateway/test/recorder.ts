import { RequestHead } from '../src/upstream/request-head.js'
import { ResponseCollector } from '../src/upstream/response-collector.js'
import type { RequestControl, ResponseHeaders, ResponseReceiver, UpstreamTransport } from '../src/upstream/transport.js'
import type { TransportFault } from '../src/upstream/transport-fault.js'

export interface RecordedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Each byte a character. */
  readonly body: string
}

/** Records a response. */
export class Recorder implements ResponseReceiver {
  readonly response = Promise.withResolvers<RecordedResponse>()
  isSettled = false
  control?: RequestControl
  status = 0
  body = ''
  private headers: Record<string, string> = {}

  onSend(control: RequestControl): void {
    this.control = control
  }

  onHead(status: number, headers: ResponseHeaders): void {
    this.status = status
    // Of both transports without the blanks that only ours takes away.
    this.headers = Object.fromEntries([...headers].map(([name, value]) => [name, value.trim()]))
  }

  onBody(bytes: Buffer): void {
    this.body += bytes.toString('latin1')
  }

  onEnd(): void {
    this.isSettled = true
    this.response.resolve({ status: this.status, headers: this.headers, body: this.body })
  }

  onError(fault: TransportFault): void {
    this.isSettled = true
    this.response.reject(fault)
  }
}

export function receiveAll(transport: UpstreamTransport, head: RequestHead, body?: Buffer | string): Promise<RecordedResponse> {
  const recorder = new Recorder()
  transport.send(head, body, recorder)
  return recorder.response.promise
}

/** As a client that needs the body whole has it. */
export function collectBody(transport: UpstreamTransport, body: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    class Collector extends ResponseCollector {
      protected override errorOfStatus(): undefined {
        return undefined
      }

      protected override onCollected(collected: Buffer): void {
        resolve(collected)
      }

      protected override onFailed(error: Error): void {
        reject(error)
      }
    }
    const collector = new Collector({ timeoutMs: 60_000, maxBytes: 64 * 1024 * 1024 })
    transport.send(new RequestHead('POST', '/', ['content-type', 'application/json']), body, collector)
  })
}
