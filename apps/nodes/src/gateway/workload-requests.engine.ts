import { Injectable } from '@nestjs/common'
import { AdmissionService } from '@trestle/gateway/admission.service'
import { answerWithProblem } from '@trestle/gateway/problem-answer'
import { RequestEngine } from '@trestle/gateway/request.engine'
import type { RequestContext } from '@trestle/gateway/request-context'
import { Problem } from '@trestle/problem/problem'
import { Readiness } from '@trestle/runtime/readiness'
import { CallsService } from './calls.service.js'
import { LiveWorkloads, type ServedWorkload } from './live-workloads.engine.js'

/** `/rpc/<id>` and `/rpc/<id>/rest/...`. */
@Injectable()
export class WorkloadRequests extends RequestEngine<ServedWorkload> {
  constructor(workloads: LiveWorkloads, calls: CallsService, admission: AdmissionService, readiness: Readiness) {
    const route = {
      path: /^\/rpc\/([a-z]+-[0-9a-f-]{36})$/,
      targets: workloads,
      unknown: () => new Problem('unknown', 'UnknownNode', 'There is no such node or cluster.'),
      accessOf: ({ access }: ServedWorkload) => access,
      serve: (workload: ServedWorkload, context: RequestContext, path: string) => calls.answer(workload, path, context),
      refuse: (context: RequestContext, error: unknown) => answerWithProblem(context, calls.problemOf(error)),
    }
    super(route, admission, readiness)
  }
}
