import type { RequestHead } from '../src/upstream/request-head.js'
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
