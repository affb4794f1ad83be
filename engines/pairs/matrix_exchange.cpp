#include "engines/pairs/mpi_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "core/random_permutation.hpp"
#include "engines/common/memory/memory.hpp"
#include "engines/common/mpi/clock.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/mpi/launch.hpp"

namespace beff::pairs {
namespace {

/// First or last byte of a message, by sender and receiver, its number among theirs, and its
/// block: both sides know it.
char mark(int from, int to, int number, std::int64_t block, bool first) {
  const auto pair =
      splitmix(splitmix(static_cast<std::uint64_t>(from)), static_cast<std::uint64_t>(to));
  const auto message = splitmix(pair, static_cast<std::uint64_t>(number));
  return static_cast<char>(
      splitmix(message, 2 * static_cast<std::uint64_t>(block) + (first ? 0 : 1)));
}

/// Of a message of one byte both are the first.
Ends marks(int from, int to, int number, std::int64_t block, bool one_byte) {
  return {.first = mark(from, to, number, block, true),
          .last = mark(from, to, number, block, one_byte)};
}

}  // namespace

MatrixExchange::MatrixExchange(const Plan& plan, const MatrixShare& share, BufferMemory& memory)
    : method_(plan.matrix.value().method),
      rank_(world_rank()),
      processes_(plan.processes),
      blocks_(blocks_of(plan)),
      sends_(pieces(share.sends, /*sent=*/true)),
      receives_(pieces(share.receives, /*sent=*/false)),
      buffers_(Buffers::of_bytes(memory, blocks_.block * blocks_.count, !kSimulated)),
      requests_(sends_.size() + receives_.size()) {
  if (method_ == MatrixMethod::kAlltoallv) {
    send_counts_ = counts_of(sends_);
    receive_counts_ = counts_of(receives_);
  }
  if (!kSimulated) {
    fill();
  }
}

/// Messages between the same two lie beside each other, for MPI_Alltoallv without a gap.
std::vector<MatrixExchange::Piece> MatrixExchange::pieces(const std::vector<MatrixRow>& rows,
                                                          bool sent) const {
  const auto peer_of = [&](const MatrixRow& row) { return sent ? row.to : row.from; };
  const auto distance = [&](const MatrixRow& row) {
    const std::int64_t apart = sent ? row.to - rank_ : rank_ - row.from;
    return (apart + processes_) % processes_;
  };
  auto near = rows;
  std::ranges::stable_sort(near, {}, distance);
  std::vector<Piece> all;
  Bytes offset = 0;
  int number = 0;
  int peer = -1;
  for (const auto& row : near) {
    if (peer_of(row) != peer) {
      peer = peer_of(row);
      number = 0;
      offset = padded(offset);
    }
    for (std::int64_t i = 0; i < row.count; ++i) {
      all.push_back({.peer = peer,
                     .bytes = static_cast<int>(row.bytes),
                     .offset = offset,
                     .number = number++});
      offset += method_ == MatrixMethod::kAlltoallv ? row.bytes : padded(row.bytes);
    }
  }
  return all;
}

MatrixExchange::Counts MatrixExchange::counts_of(const std::vector<Piece>& pieces) const {
  Counts found{.counts = std::vector<int>(static_cast<std::size_t>(processes_)),
               .offsets = std::vector<int>(static_cast<std::size_t>(processes_))};
  for (const auto& piece : pieces) {
    const auto peer = static_cast<std::size_t>(piece.peer);
    if (piece.number == 0) {
      found.offsets.at(peer) = static_cast<int>(piece.offset);
    }
    found.counts.at(peer) += piece.bytes;
  }
  return found;
}

void MatrixExchange::fill() {
  for (std::int64_t block = 0; block < blocks_.count; ++block) {
    for (const auto& piece : sends_) {
      char* const message = buffers_.send() + block * blocks_.block + piece.offset;
      write_ends(buffers_.memory(), message, piece.bytes - 1,
                 marks(rank_, piece.peer, piece.number, block, piece.bytes == 1));
    }
  }
}

Bytes MatrixExchange::next_block() { return done_++ % blocks_.count * blocks_.block; }

void MatrixExchange::post(const char* send, char* receive) {
  MPI_Request* request = requests_.data();
  for (const auto& piece : receives_) {
    MPI_Irecv(receive + piece.offset, piece.bytes, MPI_BYTE, piece.peer, 0, MPI_COMM_WORLD,
              request++);
  }
  for (const auto& piece : sends_) {
    MPI_Isend(send + piece.offset, piece.bytes, MPI_BYTE, piece.peer, 0, MPI_COMM_WORLD, request++);
  }
}

void MatrixExchange::run_nonblocking(std::int64_t iterations) {
  const auto count = static_cast<int>(requests_.size());
  for (std::int64_t i = 0; i < iterations; ++i) {
    const Bytes block = next_block();
    post(buffers_.send() + block, buffers_.receive() + block);
    MPI_Waitall(count, requests_.data(), MPI_STATUSES_IGNORE);
  }
}

void MatrixExchange::run_alltoallv(std::int64_t iterations) {
  for (std::int64_t i = 0; i < iterations; ++i) {
    const Bytes block = next_block();
    MPI_Alltoallv(buffers_.send() + block, send_counts_.counts.data(), send_counts_.offsets.data(),
                  MPI_BYTE, buffers_.receive() + block, receive_counts_.counts.data(),
                  receive_counts_.offsets.data(), MPI_BYTE, MPI_COMM_WORLD);
  }
}

void MatrixExchange::run(std::int64_t iterations) {
  if (method_ == MatrixMethod::kAlltoallv) {
    run_alltoallv(iterations);
  } else {
    run_nonblocking(iterations);
  }
}

Seconds MatrixExchange::time_loop(std::int64_t iterations) {
  run(1);
  MPI_Barrier(MPI_COMM_WORLD);
  const Seconds begin = run_time();
  run(iterations);
  return run_time() - begin;
}

MatrixLook MatrixExchange::look() {
  MatrixLook look;
  MPI_Barrier(MPI_COMM_WORLD);
  const Seconds begin = run_time();
  if (method_ == MatrixMethod::kAlltoallv) {
    run_alltoallv(1);
    look.done = run_time() - begin;
    return look;
  }
  const Bytes block = next_block();
  post(buffers_.send() + block, buffers_.receive() + block);
  const auto count = static_cast<int>(receives_.size());
  std::vector<int> came(receives_.size());
  for (int left = count; left > 0;) {
    int some = 0;
    MPI_Waitsome(count, requests_.data(), &some, came.data(), MPI_STATUSES_IGNORE);
    const Seconds now = run_time() - begin;
    for (int i = 0; i < some; ++i) {
      const auto& piece = receives_[static_cast<std::size_t>(came[static_cast<std::size_t>(i)])];
      if (piece.peer != look.last_from) {
        look.others = look.last;
        look.last_from = piece.peer;
      }
      look.last = now;
    }
    left -= some;
  }
  MPI_Waitall(static_cast<int>(sends_.size()), requests_.data() + count, MPI_STATUSES_IGNORE);
  look.done = run_time() - begin;
  return look;
}

MessageCheck MatrixExchange::check(std::int64_t iterations) {
  MessageCheck found;
  const std::int64_t first = done_ - std::min(iterations, blocks_.count);
  for (std::int64_t i = first; i < done_; ++i) {
    const std::int64_t block = i % blocks_.count;
    for (const auto& piece : receives_) {
      char* const message = buffers_.receive() + block * blocks_.block + piece.offset;
      const int last = piece.bytes - 1;
      const Ends expected = marks(piece.peer, rank_, piece.number, block, last == 0);
      const Ends came = read_ends(buffers_.memory(), message, last);
      ++found.messages_checked;
      if (came != expected) {
        ++found.wrong_messages;
        if (!found.first_error) {
          found.first_error = fmt::format(
              "the matrix, {} byte from rank {}: first byte {} instead of {}, last byte {} instead "
              "of {}",
              piece.bytes, piece.peer, int{came.first}, int{expected.first}, int{came.last},
              int{expected.last});
        }
      }
      write_ends(
          buffers_.memory(), message, last,
          {.first = static_cast<char>(~expected.first), .last = static_cast<char>(~expected.last)});
    }
  }
  buffers_.memory().synchronise();  // before the next loop is timed
  return found;
}

MessageCheck MatrixExchange::try_once() {
  run(1);
  auto found = check(1);
  done_ = 0;
  return found;
}

MovedBytes MatrixExchange::moved() const {
  MovedBytes moved;
  for (const auto& piece : sends_) {
    moved.sent += piece.bytes;
  }
  for (const auto& piece : receives_) {
    moved.received += piece.bytes;
  }
  return moved;
}

Bytes MatrixExchange::sent_bytes(const std::function<bool(int rank)>& counts) const {
  Bytes bytes = 0;
  for (const auto& piece : sends_) {
    bytes += counts(piece.peer) ? piece.bytes : 0;
  }
  return bytes * done_;
}

}  // namespace beff::pairs
