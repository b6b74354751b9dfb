import type { ServerResponse } from 'node:http'
import type { LiveProject } from '../projects/live-project.js'
import type { CallContext } from './call-context.js'

/** Of a request over HTTP. */
export class HttpContext implements CallContext {
  #controller?: AbortController

  constructor(
    readonly project: LiveProject,
    private readonly response: ServerResponse,
  ) {}

  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = new AbortController()
      this.#controller = controller
      this.response.once('close', () => controller.abort())
    }
    return this.#controller.signal
  }
}
