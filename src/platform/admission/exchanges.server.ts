import { countedNetworks } from '../http/address.server.ts';

/** A request whose body is still coming, or whose answer is still being taken. */
export type Exchange = {
  /** Counts bytes in memory for it: received so far, or not taken yet. */
  hold(bytes: number): void;
  /** Its body is a large one: false where its address sends enough of them already. */
  becomeUpload(): boolean;
  /**
   * It is worked on: nobody cuts it any more, and what it holds counts until its end. Beside an upload that is worked on
   * others have as much less room, as what is read of it takes as much again.
   */
  keep(): void;
  end(): void;
};

export type Exchanges = {
  /** `cut`: ends the connection; called at most once, never after `end` or `keep`. */
  begin(address: string, cut: () => void): Exchange;
  /** How many there are, and their bytes. */
  present(): { count: number; bytes: number };
};

type ExchangeBounds = {
  /** Of one address. Many people may share one, behind a carrier's network. */
  byAddress: number;
  /** Large bodies that come from one address at a time. */
  uploadsByAddress: number;
  bytesByAddress: number;
  /** Of all addresses together. */
  bytes: number;
  /** An upload that has had this long, in milliseconds, gives way to the next of its address where it is the slowest. */
  uploadMs: number;
};

const MEGABYTE = 1024 * 1024;

export const exchangeBounds: ExchangeBounds = {
  byAddress: 256,
  uploadsByAddress: 6,
  bytesByAddress: 32 * MEGABYTE,
  bytes: 64 * MEGABYTE,
  uploadMs: 10_000,
};

type Entry = {
  cut: () => void;
  began: number;
  bytes: number;
  isUpload: boolean;
  isKept: boolean;
};

type Entries = { all: Set<Entry>; bytes: number };

/**
 * Bounds what is neither worked on nor over: what slow senders and silent readers keep open costs a connection and its
 * bytes, never a place. Beyond a bound the oldest is cut, so that whoever comes next, behind the same address too, is
 * served: an honest exchange is over in a moment. `now`: in milliseconds.
 */
export function makeExchanges(bounds: ExchangeBounds, now = () => performance.now()): Exchanges {
  const everybody: Entries = { all: new Set(), bytes: 0 };
  const byAddress = new Map<string, Entries>();
  /** What was read of the uploads that are worked on takes as much again as they do. */
  let readBytes = 0;
  // Only uploads make room for it: a form takes next to nothing.
  const cutUploads = () => {
    while (everybody.bytes + readBytes > bounds.bytes && cutOldest(everybody, 1, true));
  };

  function begin(address: string, cut: () => void): Exchange {
    // An IPv6 address by its narrowest network.
    const [{ key } = { key: address }] = countedNetworks(address);
    const entry: Entry = { cut, began: now(), bytes: 0, isUpload: false, isKept: false };
    const own = byAddress.get(key) ?? { all: new Set<Entry>(), bytes: 0 };
    byAddress.set(key, own);
    own.all.add(entry);
    everybody.all.add(entry);

    function add(bytes: number) {
      entry.bytes += bytes;
      own.bytes += bytes;
      everybody.bytes += bytes;
    }
    function end() {
      if (!everybody.all.delete(entry)) return;
      own.all.delete(entry);
      if (entry.isUpload && entry.isKept) readBytes -= entry.bytes;
      add(-entry.bytes);
      if (own.all.size === 0) byAddress.delete(key);
    }
    entry.cut = () => {
      end();
      cut();
    };
    function hold(bytes: number) {
      if (!everybody.all.has(entry)) return;
      add(bytes);
      while (own.bytes > bounds.bytesByAddress && cutOldest(own, 1));
      while (everybody.bytes > bounds.bytes && cutOldest(everybody, 1));
      if (entry.isUpload) cutUploads();
    }
    if (own.all.size > bounds.byAddress) cutOldest(own, 0);
    return {
      end,
      keep() {
        if (entry.isKept) return;
        entry.isKept = true;
        if (!entry.isUpload) return;
        readBytes += entry.bytes;
        cutUploads();
      },
      hold,
      becomeUpload() {
        const uploads = [...own.all].filter(({ isUpload, isKept }) => isUpload && !isKept);
        entry.isUpload = true;
        if (uploads.length < bounds.uploadsByAddress) return true;
        const rate = ({ bytes, began }: Entry) => bytes / Math.max(1, now() - began);
        const slowest = uploads
          .filter(({ began }) => now() - began >= bounds.uploadMs)
          .reduce<Entry | null>((a, b) => (a && rate(a) <= rate(b) ? a : b), null);
        slowest?.cut();
        return slowest !== null;
      },
    };
  }

  /** Of those that hold so many bytes at least, or of the uploads among them; false where none can be cut. */
  function cutOldest({ all }: Entries, least: number, areUploads = false): boolean {
    for (const entry of all) {
      if (entry.isKept || entry.bytes < least || (areUploads && !entry.isUpload)) continue;
      entry.cut();
      return true;
    }
    return false;
  }

  return {
    begin,
    present: () => ({ count: everybody.all.size, bytes: everybody.bytes }),
  };
}
