import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { Injectable } from '@nestjs/common'
import { AdmissionService } from '@trestle/gateway/admission.service'
import { isEncoded, isJson } from '@trestle/gateway/media-type'
import { RequestEngine } from '@trestle/gateway/request.engine'
import { onAbandoned, type RequestContext, sendAnswer } from '@trestle/gateway/request-context'
import { Readiness } from '@trestle/runtime/readiness'
import { CallAbort, type CallSignal } from '../call-signal.js'
import { RPC_CODE, RpcFailure, unavailable } from '../framing/rpc-error.js'
import type { LiveProject } from '../projects/live-project.js'
import { LiveProjects } from '../projects/live-projects.engine.js'
import type { CallContext } from './call-context.js'
import { corsHeaders } from './cors.js'
import { type RpcReply, RpcService } from './rpc.service.js'

/** `POST /v1/<project>`: everything that is answered is JSON-RPC, refusals too. */
@Injectable()
export class ProjectRequests extends RequestEngine<LiveProject> {
  constructor(projects: LiveProjects, rpc: RpcService, admission: AdmissionService, readiness: Readiness) {
    const route = {
      path: /^\/v1\/([0-9a-f]{32})$/,
      targets: projects,
      unknown: () => new RpcFailure({ code: RPC_CODE.unauthorized, message: 'there is no such project' }, 404),
      accessOf: ({ access }: LiveProject) => access,
      serve(project: LiveProject, context: RequestContext) {
        checkBody(context.request.headers)
        return rpc.serve(context.body, new HttpCall(project, context.response), (reply) => sendReply(context, reply, project))
      },
      refuse: (context: RequestContext, error: unknown, project?: LiveProject) => sendReply(context, rpc.refusal(error), project),
    }
    super(route, admission, readiness)
  }
}

export function sendReply(context: RequestContext, { status, answer, headers }: RpcReply, project?: LiveProject): void {
  const cors = corsHeaders(context.request.headers.origin, project?.access.origins)
  const all = headers ? [...cors, ...Object.entries(headers).flat()] : cors
  sendAnswer(context, { status, headers: all, type: 'application/json', body: answer })
}

function checkBody(headers: IncomingHttpHeaders): void {
  if (!isJson(headers['content-type'])) throw wrongType('invalid content type, only application/json is supported')
  if (isEncoded(headers)) throw wrongType('a body with a content encoding is not accepted')
}

function wrongType(message: string): RpcFailure {
  return new RpcFailure({ code: RPC_CODE.invalidRequest, message }, 415)
}

class HttpCall implements CallContext {
  #abort?: CallAbort

  constructor(
    readonly project: LiveProject,
    readonly response: ServerResponse,
  ) {}

  get signal(): CallSignal {
    if (this.#abort) return this.#abort
    const abort = new CallAbort()
    this.#abort = abort
    onAbandoned(this, () => abort.abort(unavailable('the caller is gone')))
    return abort
  }
}
