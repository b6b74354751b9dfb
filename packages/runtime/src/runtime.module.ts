import { type DynamicModule, Module } from '@nestjs/common'
import { APP_FILTER } from '@nestjs/core'
import { Clock } from './clock.js'
import { ErrorTranslators } from './error-translators.js'
import { InternalRoutes } from './internal-server.js'
import { Jobs } from './jobs.js'
import { Lifecycle } from './lifecycle.js'
import { Logger } from './logger.js'
import { Metrics } from './metrics.js'
import { ProblemFilter } from './problem.filter.js'
import { Readiness } from './readiness.js'

/** Global: provides what every service needs. `bootService` imports it; a test may. */
@Module({})
export class RuntimeModule {
  static forRoot(logger: Logger): DynamicModule {
    return {
      module: RuntimeModule,
      global: true,
      providers: [
        { provide: Logger, useValue: logger },
        Clock,
        ErrorTranslators,
        InternalRoutes,
        Jobs,
        Lifecycle,
        Metrics,
        Readiness,
        ProblemFilter,
        { provide: APP_FILTER, useExisting: ProblemFilter },
      ],
      exports: [Logger, Clock, ErrorTranslators, InternalRoutes, Jobs, Lifecycle, Metrics, Readiness],
    }
  }
}
