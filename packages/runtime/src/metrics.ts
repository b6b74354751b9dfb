import { Injectable } from '@nestjs/common'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The service's Prometheus registry; others add their own metrics to `registry`. */
@Injectable()
export class Metrics {
  readonly registry = new Registry()

  readonly requestDuration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the response.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  })

  readonly activityLost = new Counter<never>({
    name: 'activity_lost_total',
    help: 'Activity records that could not be stored.',
    registers: [this.registry],
  })

  readonly buildInfo = new Gauge({
    name: 'trestle_build_info',
    help: '1; its labels say what runs.',
    labelNames: ['service', 'version'] as const,
    registers: [this.registry],
    aggregator: 'first',
  })

  readonly jobSucceeded = new Gauge({
    name: 'job_last_success_timestamp_seconds',
    help: 'When a job last succeeded.',
    labelNames: ['job'] as const,
    registers: [this.registry],
    aggregator: 'max',
  })

  readonly securityEvents = new Counter({
    name: 'security_events_total',
    help: 'What the security log records, by kind and outcome; failed sign-ins among it. Includes events beyond the limits of the log.',
    labelNames: ['kind', 'outcome'] as const,
    registers: [this.registry],
  })

  readonly securityEventsLost = new Counter({
    name: 'security_events_lost_total',
    help: 'Security events that are not in the log: their storage failed, or too many failures came at once.',
    labelNames: ['reason'] as const,
    registers: [this.registry],
  })

  /** The text of `/metrics`; the parent of several processes replaces it. */
  text = (): Promise<string> => this.registry.metrics()

  constructor() {
    collectDefaultMetrics({ register: this.registry })
  }

  /** The certificate that is served. */
  addCertificate(certificate: { readonly expiresAt: number | undefined }): void {
    const gauge: Gauge = new Gauge({
      name: 'tls_certificate_expiry_timestamp_seconds',
      help: 'When the certificate of the API expires.',
      registers: [this.registry],
      aggregator: 'min',
      collect: () => gauge.set(certificate.expiresAt ?? 0),
    })
  }
}
