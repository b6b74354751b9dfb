import { type DynamicModule, Module } from '@nestjs/common'
import { APP_FILTER } from '@nestjs/core'
import { ErrorTranslators } from './error-translators.js'
import { InternalRoutes } from './internal-server.js'
import { Lifecycle } from './lifecycle.js'
import { Logger } from './logger.js'
import { Metrics } from './metrics.js'
import { ProblemFilter } from './problem.filter.js'
import { Readiness } from './readiness.js'

/** Global: whatever a service needs to run is injectable everywhere. `bootService` imports it; a test may. */
@Module({})
export class RuntimeModule {
  static forRoot(logger: Logger): DynamicModule {
    return {
      module: RuntimeModule,
      global: true,
      providers: [
        { provide: Logger, useValue: logger },
        ErrorTranslators,
        InternalRoutes,
        Lifecycle,
        Metrics,
        Readiness,
        ProblemFilter,
        { provide: APP_FILTER, useExisting: ProblemFilter },
      ],
      exports: [Logger, ErrorTranslators, InternalRoutes, Lifecycle, Metrics, Readiness],
    }
  }
}
