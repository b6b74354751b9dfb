import { type DynamicModule, Module, type Provider } from '@nestjs/common'

/** A service's own token for its settings, and the module that lets every feature inject them: `@Inject(ENV) env: AccountsEnv`. */
export function settingsModule<E extends object>(more: (env: E) => (Provider & { provide: symbol })[] = () => []) {
  const ENV = Symbol('ENV')

  @Module({})
  class SettingsModule {
    static forRoot(env: E): DynamicModule {
      const providers = [{ provide: ENV, useValue: env }, ...more(env)]
      return { module: SettingsModule, global: true, providers, exports: providers.map(({ provide }) => provide) }
    }
  }

  return { ENV, SettingsModule }
}
