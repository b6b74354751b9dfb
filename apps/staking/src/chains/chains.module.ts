import { Module } from '@nestjs/common'
import { ErrorTranslators } from '@trestle/runtime/error-translators'
import { ChainsService } from './chains.service.js'
import { chainProblem } from './upstream-problem.js'

/** The chains' nodes. */
@Module({ providers: [ChainsService], exports: [ChainsService] })
export class ChainsModule {
  constructor(translators: ErrorTranslators) {
    translators.add(chainProblem)
  }
}
