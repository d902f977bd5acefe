import { createRequire } from 'node:module';
import { type CountryResponse, open, type Reader } from 'maxmind';

/** Flat, unlike MaxMind's own shape. */
interface CountryRow {
  country_code?: string;
}

/** CC0, IPv4 and IPv6 in one file. */
const DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';

/** Finds the country of an address in a file that is held in memory. */
export class Countries {
  readonly #reader: Reader<CountryResponse>;

  private constructor(reader: Reader<CountryResponse>) {
    this.#reader = reader;
  }

  static async open(): Promise<Countries> {
    return new Countries(await open<CountryResponse>(createRequire(import.meta.url).resolve(DATABASE)));
  }

  /** ISO 3166-1 alpha-2 in upper case; empty when unknown. */
  of(address: string): string {
    try {
      const row = this.#reader.get(address) as unknown as CountryRow | null;
      return row?.country_code?.toUpperCase() ?? '';
    } catch {
      // It throws at what is no address: a peer that has gone.
      return '';
    }
  }
}
