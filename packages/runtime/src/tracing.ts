import { register } from 'node:module'
import type { Span } from '@opentelemetry/api'
import { onTracingShutdown } from './tracing-shutdown.js'

// Loaded before the service: `node --import @trestle/runtime/tracing dist/main.js`. Loads nothing without a collector.
// biome-ignore lint/style/noProcessEnv: it runs before any env.ts, and the names are OpenTelemetry's own.
const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME } = process.env
if (OTEL_EXPORTER_OTLP_ENDPOINT) await startTracing()

/** Sends the spans of incoming and outgoing requests to the collector, by OTLP over HTTP. */
async function startTracing(): Promise<void> {
  // Without this hook the instrumentations miss ESM imports: no spans, and no error.
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url)
  const { NodeSDK } = await import('@opentelemetry/sdk-node')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { HttpInstrumentation } = await import('@opentelemetry/instrumentation-http')
  const sdk = new NodeSDK({
    serviceName: OTEL_SERVICE_NAME,
    traceExporter: new OTLPTraceExporter(),
    autoDetectResources: false,
    metricReaders: [],
    instrumentations: [new HttpInstrumentation({ requestHook: withoutSecrets })],
  })
  sdk.start()
  onTracingShutdown(() => sdk.shutdown())
}

/** Paths and queries of this platform may contain tokens and project ids; the span is named by its route instead. */
function withoutSecrets(span: Span): void {
  span.setAttributes({ 'url.path': '[redacted]', 'url.query': '[redacted]', 'url.full': '[redacted]' })
}
