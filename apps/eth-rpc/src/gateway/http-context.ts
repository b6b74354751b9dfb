import type { ServerResponse } from 'node:http'
import { CallAbort, type CallSignal } from '../call-signal.js'
import { unavailable } from '../framing/rpc-error.js'
import type { LiveProject } from '../projects/live-project.js'
import type { CallContext } from './call-context.js'

/** Of a request over HTTP. */
export class HttpContext implements CallContext {
  #leaving?: CallAbort

  constructor(
    readonly project: LiveProject,
    private readonly response: ServerResponse,
  ) {}

  get signal(): CallSignal {
    this.#leaving ??= this.watch()
    return this.#leaving
  }

  private watch(): CallAbort {
    const leaving = new CallAbort()
    this.response.once('close', () => {
      if (!this.response.writableFinished) leaving.abort(unavailable('nobody waits for the answer'))
    })
    return leaving
  }
}
