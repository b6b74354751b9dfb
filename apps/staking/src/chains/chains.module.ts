import { Module } from '@nestjs/common'
import { ErrorTranslators } from '@trestle/runtime/error-translators'
import { chainProblem } from './chain-problem.js'
import { ChainsService } from './chains.service.js'

/** The chains' nodes. */
@Module({ providers: [ChainsService], exports: [ChainsService] })
export class ChainsModule {
  constructor(translators: ErrorTranslators) {
    translators.add(chainProblem)
  }
}
